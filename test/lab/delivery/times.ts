import type { Explanation } from '../../../src/protocol/messages.ts';
import type { Measured } from '../life/check.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import type { Row } from './table.ts';

/**
 * Less than proof is awaited for (60 s, rule 4): whatever waits behind an unproven message is late
 * by then.
 */
export const soonMs = 45_000;

const moments: Readonly<Record<string, string>> = {
  esc: 'Esc in mid-answer',
  'esc-silent': 'Esc before any output',
  'esc-queue': 'Esc over a waiting message',
  'esc-twice-queue': 'the same, pressed twice',
  new: 'Esc, then `/new`',
  clear: '`/clear` at rest',
  kill: 'kill -9, then `restart`',
};

/** From that moment until the model had the message, and until the ledger said so. */
export function measure(
  name: string,
  since: number,
  requests: readonly LoggedRequest[],
  { history }: Explanation,
): Measured {
  const seen = history.findLast(({ to }) => to === 'seen' || to === 'acked')?.at;
  const readMs = (requests[0]?.at ?? Number.NaN) - since;
  return { [`${name}-read`]: readMs, [`${name}-seen`]: Date.parse(seen ?? '') - since };
}

/**
 * Time to the next message read, one line for each CLI: `read` when its request reached the model,
 * `seen` when the ledger says so.
 */
export function writeTimes(rows: readonly Row[]): string {
  const names = Object.keys(moments);
  const head = ['CLI', ...names.map((name) => moments[name] ?? name), 'uncertain until settled'];
  const body = rows.map(({ cli, version, outcomes }) => {
    const measured: Record<string, number> = {};
    for (const outcome of outcomes.values())
      if (outcome.kind === 'passed') Object.assign(measured, outcome.measured);
    const cells = names.map((name) => cell(measured[`${name}-read`], measured[`${name}-seen`]));
    return [`${cli} ${version}`, ...cells, seconds(measured['settled'])];
  });
  const day = new Date().toISOString().slice(0, 10);
  return [
    `# Time to the next message read, ${day}`,
    '',
    'Real CLIs on the mock model, the published build with its real spans, two cores. A message is sent as soon as the person has',
    'acted (before Esc where it says that one waits; then it is counted from the rest); `read` is when the request that holds it reached the model, `seen` is when the ledger says so, both counted from what',
    'the person did. After kill -9 the agent is restarted at once, and the message was sent while it was dead; the last column is how',
    'long after the first rest the message that the dead one held was settled.',
    '',
    ...[head, head.map(() => '---'), ...body].map((line) => `| ${line.join(' | ')} |`),
    '',
  ].join('\n');
}

function cell(readMs: number | undefined, seenMs: number | undefined): string {
  if (readMs === undefined) return '';
  return `read ${seconds(readMs)}, seen ${seconds(seenMs)}`;
}

function seconds(ms: number | undefined): string {
  return ms === undefined || Number.isNaN(ms) ? '' : `${(ms / 1000).toFixed(1)} s`;
}
