import { waitUntil } from '../../support/wait-until.ts';
import type { StageCase } from './stage.ts';

/**
 * Requests that are refused, and answers that break off: what the records show of each, and whether the next copy may go
 * unmarked (rules 43, 49). The CLI repeats a request by itself where it hopes for better, up to four minutes.
 */
export const breakCases: readonly StageCase[] = [
  ...[400, 403, 429, 500].map((status) => ended(`fail-${status}`, `@@fail ${status}`)),
  ...['headers', 'blank', 'role', 'word', 'error'].map((after) =>
    ended(`break-${after}`, `@@break ${after}`),
  ),
  // The second request of the same turn is refused; the first had brought a word.
  ended('break-word-then-401', '@@break word 1 @@fail 401'),
  ended('break-error-then-401', '@@break error 1 @@fail 401'),
];

const ownRetriesMs = 360_000;

function ended(name: string, script: string): StageCase {
  return {
    name,
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope(script);
      await life.submit(text);
      await waitUntil('the turn end', () => life.turnEnds.length === 1, ownRetriesMs);
      await life.terminal.settled(1000);
      stage.note(script, trace, await life.judge(trace));
    },
  };
}
