import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { pins } from '../versions.ts';

/** What was found about one mark at one time, and what the model had really got of it. */
export interface Row {
  readonly when: string;
  readonly mark: string;
  readonly route: string;
  readonly found: string;
  readonly model: string;
  readonly evidence: string;
}

interface Recording {
  /** The lab's, to be taken out. */
  readonly folder: string;
  readonly name: string;
  readonly rows: readonly Row[];
}

type Json = Record<string, unknown>;

/**
 * A transcript as a fixture: its first line says what was found at the end about each mark; then
 * the records, without the long instructions that every request begins with, and without anything
 * that names the machine.
 */
export function cleanTranscript(path: string, { folder, name, rows }: Recording): string {
  const last = new Map(
    rows.map(({ mark, found, model, route }) => [mark, { route, found, model }]),
  );
  const head = {
    type: 'lab',
    case: name,
    cli: `claude-code ${pins['claude-code'].version}`,
    marks: Object.fromEntries(last),
  };
  const records = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json)
    .flatMap(shorten);
  const text = [head, ...records].map((record) => JSON.stringify(record)).join('\n');
  return `${text
    .replaceAll(folder, '/srv/lab')
    .replaceAll(folder.replace(/[^a-zA-Z0-9]/g, '-'), '-srv-lab')
    .replaceAll(hostname(), 'host')
    .replaceAll(`"${userInfo().username}"`, '"lab"')}\n`;
}

/** What no rule looks at. */
const dropped = new Set([
  'api-request-shape',
  'mode',
  'permission-mode',
  'atis-latch',
  'last-prompt',
  'tools-used',
  'file-history-snapshot',
  'summary',
]);
const droppedFields = [
  'cwd',
  'version',
  'gitBranch',
  'userType',
  'entrypoint',
  'sessionId',
  'session_id',
  'params',
  'cacheControl',
  'shapeHash',
  'usage',
  'rendered',
  'hookInfos',
  'toolUseResult',
];

function shorten(record: Json): readonly Json[] {
  if (dropped.has(String(record['type']))) return [];
  if (record['type'] !== 'attachment') return [cut(record) as Json];
  const attachment = record['attachment'] as Json;
  const isOurs = /^(hook_|queued_command)/.test(String(attachment['type']));
  // A link in the chain, and no more.
  return [
    cut({ ...record, attachment: isOurs ? attachment : { type: attachment['type'] } }) as Json,
  ];
}

function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > 1200 ? `${value.slice(0, 200)}…${value.slice(-1000)}` : value;
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !droppedFields.includes(key))
      .map(([key, inner]) => [key, cut(inner)]),
  );
}
