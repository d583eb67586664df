import { waitUntil } from '../../support/wait-until.ts';
import type { StageCase } from './stage.ts';

/**
 * Requests that are refused, and answers that break off: what the records show of each, and whether
 * the next copy may go unmarked (rules 43, 49). After a 429 or a 5xx the CLI asks again by itself,
 * for more than six minutes: until a person ends that.
 */
export const breakCases: readonly StageCase[] = [
  ...[400, 403].map((status) => ended(`fail-${status}`, `@@fail ${status}`)),
  ...[429, 500].map((status) => retried(`retried-${status}`, `@@fail ${status}`)),
  ...['headers', 'blank', 'role', 'word', 'error'].map((after) =>
    ended(`break-${after}`, `@@break ${after}`),
  ),
  // The second request of the same turn is refused; the first had brought a word.
  ended('break-word-then-401', '@@break word 1 @@fail 401'),
  ended('break-error-then-401', '@@break error 1 @@fail 401'),
];

function ended(name: string, script: string): StageCase {
  return {
    name,
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope(script);
      await life.submit(text);
      await waitUntil('the turn end', () => life.turnEnds.length === 1, 60_000);
      await life.terminal.settled(1000);
      stage.note(script, trace, await life.judge(trace));
    },
  };
}

function retried(name: string, script: string): StageCase {
  return {
    name,
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope(script);
      await life.submit(text);
      await waitUntil('its second try', () => stage.gate.count(trace.mark) > 1, 60_000);
      stage.note('while it tries again', trace, await life.judge(trace));
      await life.terminal.keys('Escape');
      stage.note('Esc', trace, await life.finds(trace, 'removed'));
    },
  };
}
