import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** What was found about one mark at one time, and what the model had really got of it. */
export interface Row {
  readonly when: string;
  readonly mark: string;
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
 * The rollouts of a conversation as a fixture: its first line says what was found at the end about
 * each mark; then the records, without the long instructions that every request begins with, and
 * without anything that names the machine.
 */
export function cleanRollouts(paths: readonly string[], { folder, name, rows }: Recording): string {
  const records = paths
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json)
    .flatMap(shorten);
  // A case with several conversations has a recording of each.
  const here = rows.filter(({ mark, found }) => !inRollout.has(found) || holds(records, mark));
  const last = new Map(here.map(({ mark, found, model }) => [mark, { found, model }]));
  const head = { type: 'lab', case: name, cli: 'codex 0.166.0', marks: Object.fromEntries(last) };
  const text = [head, ...records].map((record) => JSON.stringify(record)).join('\n');
  return `${text.replaceAll(folder, '/srv/lab').replaceAll(hostname(), 'host')}\n`;
}

const inRollout = new Set(['seen', 'landed', 'removed']);

function holds(records: readonly Json[], mark: string): boolean {
  return JSON.stringify(records).includes(mark);
}

function shorten(record: Json): readonly Json[] {
  const payload = (record['payload'] ?? {}) as Json;
  switch (record['type']) {
    case 'session_meta':
      return [{ ...record, payload: { id: payload['id'], cli_version: payload['cli_version'] } }];
    case 'event_msg':
      return kept.has(payload['type']) ? [cut(record) as Json] : [];
    case 'response_item':
      return /<(environment_context|user_instructions)>/.test(JSON.stringify(payload)) ||
        payload['role'] === 'developer'
        ? []
        : [cut(record) as Json];
    default:
      return [];
  }
}

const kept = new Set<unknown>(['task_started', 'item_completed', 'task_complete', 'turn_aborted']);

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 600 ? `${value.slice(0, 600)}…` : value;
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]));
}
