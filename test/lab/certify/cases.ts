import type { Explanation, InboxList } from '../../../src/protocol/messages.ts';
import { composerCases } from '../delivery/cases-composer.ts';
import { faultCases } from '../delivery/cases-faults.ts';
import { interruptedCases } from '../delivery/cases-interrupted.ts';
import { keysAfterSend } from '../delivery/cases-keys.ts';
import { nextCases } from '../delivery/cases-next.ts';
import { standingCases } from '../delivery/cases-standing.ts';
import { usualCases } from '../delivery/cases-usual.ts';
import { Post } from '../delivery/post.ts';
import { revive } from '../delivery/revive.ts';
import { type Check, must } from '../life/check.ts';
import { findStrange } from './find-strange.ts';
import type { CaseResult } from './run.ts';

/**
 * Rule 50: of all that went in, nothing may end unproven because its records are not understood.
 */
const records: Check = {
  name: 'record-form',
  promise: 'rule 50: the records of every message that went in have a form that we know',
  run: async (life) => {
    const post = new Post(life);
    const { messages } = await life.box.ask<InboxList>(['inbox', 'list', 'lab', '--state', 'all']);
    const explained: Explanation[] = [];
    for (const { id } of messages) explained.push(await post.explain(id));
    const { strange, proven } = findStrange(explained);
    must(strange.length === 0, strange.join('; '));
    must(proven > 0, 'no message was proven read');
    return { proven };
  },
};

const people = (check: Check): Check => ({ ...check, hasOwnAgent: true });
const called = (list: readonly Check[], ...names: readonly string[]): readonly Check[] =>
  list.filter(({ name }) => names.includes(name));

/** In the order in which they run; the first launches the agent. */
const byPart: Readonly<Record<CaseResult['part'], readonly Check[]>> = {
  delivery: [...usualCases, ...standingCases, ...faultCases].filter(({ isShort }) => isShort),
  records: [records],
  people: [
    ...called(interruptedCases, 'esc-next'),
    ...called(nextCases, 'clear-next'),
    ...called(composerCases, 'typing'),
    keysAfterSend,
  ].map(people),
};

export const certifyCases: readonly Check[] = Object.values(byPart)
  .flat()
  .map((check) => ({ ...check, run: revive(check) }));

export function partOf(name: string): CaseResult['part'] {
  const parts = Object.keys(byPart) as CaseResult['part'][];
  return parts.find((part) => byPart[part].some((check) => check.name === name)) ?? 'delivery';
}
