import type { z } from '@hono/zod-openapi';
import {
  agentNameSchema,
  agentSchema,
  missingRouteSchema,
} from '../../src/protocol/schemas/agents.ts';
import { findingSchema } from '../../src/protocol/schemas/doctor.ts';
import { eventSchema } from '../../src/protocol/schemas/events.ts';
import {
  faultCodeSchema,
  faultSchema,
  faultWordsSchema,
} from '../../src/protocol/schemas/fault.ts';
import { messageSchema, messageStateSchema } from '../../src/protocol/schemas/messages.ts';
import { settingSchema } from '../../src/protocol/schemas/printed.ts';
import { profileSchema } from '../../src/protocol/schemas/profiles.ts';
import { trustSchema } from '../../src/protocol/schemas/trust.ts';
import { waitCodeSchema } from '../../src/protocol/schemas/values.ts';
import { exitCodes } from '../../src/shared/fault.ts';
import { type FieldRow, link, listFields, type NamedShapes } from './describe-schema.ts';
import { type PrintedDocument, printedDocuments } from './printed-documents.ts';

const shapes: NamedShapes = new Map<z.ZodType, string>([
  [agentSchema, 'Agent'],
  [agentNameSchema, 'Agent name'],
  [messageSchema, 'Message'],
  [messageStateSchema, 'Message state'],
  [waitCodeSchema, 'Wait code'],
  [missingRouteSchema, 'Missing route'],
  [profileSchema, 'Profile'],
  [trustSchema, 'File of a project'],
  [eventSchema, 'Event'],
  [settingSchema, 'Setting'],
  [findingSchema, 'Finding'],
  [faultWordsSchema, 'Failure'],
  [faultCodeSchema, 'Failure code'],
]);

/** The whole of docs/json.md. */
export function writeJsonDocs(): string {
  const commands = Object.entries(printedDocuments).map(
    ([command, documents]) =>
      `### ${command}\n\n${documents.map((document) => describe(command, document)).join('\n')}`,
  );
  const shared = [...shapes].map(
    ([schema, name]) => `### ${name}\n\n${describeShape(schema, name)}`,
  );
  return `${intro}
## Commands

${commands.join('\n')}
## Shapes

${shared.join('\n')}
## When a command fails

The exit code is not 0, stderr has one line for people, and stdout has this document, unless the document above was already printed:

${table(listFields(faultSchema, shapes))}
Codes, each with its exit code: ${Object.entries(exitCodes)
    .map(([code, exit]) => `\`${code}\` ${exit}`)
    .join(', ')}, \`interrupted\` 130 (of \`demo\`).
`;
}

function others(own: string): NamedShapes {
  return new Map([...shapes].filter(([, name]) => name !== own));
}

const intro = `# What \`--json\` prints

\`npm run docs:json\` writes this page from the schemas in \`src/protocol/schemas\`. A test fails when it is out of date, and tests read what the
commands really print by the same schemas.

- Every command takes \`--json\` and then prints one document on stdout, and nothing else there. Where a command follows something, it prints
  one document per line. \`signalbox mcp\` speaks MCP in any case, and \`signalbox up --foreground\` prints the lines of the daemon's log.
- **A field keeps its name, its type and its meaning until the next major version.** New fields may be added at any time: ignore fields that you
  do not know. A new word may be added where a field has one of several words.
- An \`optional\` field is absent where there is nothing to say. A field is null only where its type says so.
- A \`time\` is ISO 8601 in UTC with milliseconds: \`2026-11-17T19:09:02.123Z\`.
- Ids of agents begin with \`agt_\`, ids of messages with \`msg_\`. The user is \`agt_user\`, signalbox itself is \`agt_signalbox\`.
- The [vocabulary](vocabulary.md) says what the statuses of an agent and the states of a message mean.
`;

function describe(command: string, { schema, when, isLine }: PrintedDocument): string {
  const label =
    when === undefined ? '' : `With ${when}${isLine ? ', one document per line' : ''}:\n\n`;
  const name = shapes.get(schema);
  if (name !== undefined) return `${label}One ${link(name)}.\n`;
  const first = Object.entries(printedDocuments).find(([, documents]) =>
    documents.some((document) => document.schema === schema && document.when === undefined),
  )?.[0];
  const isFirst = first === undefined || (first === command && when === undefined);
  if (!isFirst) return `${label}The document of ${link(first)}.\n`;
  return `${label}${table(listFields(schema, shapes))}`;
}

function describeShape(schema: z.ZodType, name: string): string {
  const words = [messageStateSchema, waitCodeSchema, faultCodeSchema].find((one) => one === schema);
  if (words) return `One of ${words.options.map((word) => `\`${word}\``).join(', ')}.\n`;
  return table(listFields(schema, others(name)));
}

function table(rows: readonly FieldRow[]): string {
  const cells = rows.map(({ field, type, isOptional, meaning }) => [
    field.endsWith('…') ? field : `\`${field}\``,
    type,
    isOptional ? 'optional' : '',
    meaning,
  ]);
  const all = [['field', 'type', '', 'meaning'], ...cells];
  const widths = [0, 1, 2, 3].map((at) => Math.max(3, ...all.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return `${line(all[0] ?? [])}${rule}${cells.map(line).join('')}`;
}
