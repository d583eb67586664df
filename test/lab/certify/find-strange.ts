import type { Explanation } from '../../../src/protocol/messages.ts';

/**
 * Rule 50, of all that went in: which messages ended unproven because nobody here knows the form of
 * their records, and how many were proven read. Throws where there is nothing to judge by.
 */
export function findStrange(explained: readonly Told[]): {
  readonly strange: readonly string[];
  readonly proven: number;
} {
  const moves = explained.flatMap(({ history }) => history);
  if (!moves.some(({ to }) => to === 'claimed')) throw new Error('no message went in');
  const strange = new Set<string>();
  for (const { history, attempts } of explained) {
    for (const { code, evidence } of history) {
      if (code === 'unconfirmed') strange.add(`${attempts.at(-1)?.route}: ${evidence}`);
    }
  }
  const proven = explained.filter(({ history }) => history.some(({ to }) => to === 'seen')).length;
  return { strange: [...strange], proven };
}

interface Told {
  readonly history: readonly Pick<Explanation['history'][number], 'to' | 'code' | 'evidence'>[];
  readonly attempts: readonly Pick<Explanation['attempts'][number], 'route'>[];
}
