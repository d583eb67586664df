import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/fakes/manual-clock.ts';
import { idOf, openHooks } from '../../../test/support/held-hooks.ts';
import type { StatusView } from '../../agents/status.ts';
import type { HookQuestion } from '../../providers/questions.ts';
import type { HeldAnswer } from './held-hooks.ts';
import { Questions, withHidden } from './questions.ts';

/** Of a sub-agent: its CLI draws no dialog for it while the hook runs. */
const question: HookQuestion = {
  ...{ asks: 'command', text: 'make', decisions: ['allow', 'deny'], isSubAgents: true },
  reply: (decision) => ({ stdout: decision, exitCode: 0 }),
};
const beside = { question, asker: 'a1' };

test('rule 38: what a sub-agent asks is held while nobody is at the terminal, whatever its CLI says of itself', async () => {
  const { hooks, pass, poll, decide } = openHooks();
  const waiting = poll(beside);
  hooks.ownState({ status: 'waiting' });
  hooks.ownState({ status: 'processing' });
  hooks.note('Stop', { subject: '', asker: '' });
  await pass(10_000);
  expect(hooks.open).toMatchObject([{ text: 'make', isSubAgents: true }]);
  expect(hooks.hiddenSince).toBeTypeOf('number');
  decide('deny');
  await pass(100);
  expect(waiting.told()).toMatchObject({ reply: { stdout: 'deny' } });
  hooks.confirm(idOf(waiting.told()));
  hooks.note('SubagentStop', { subject: '', asker: 'a1' });
  await pass(100);
  expect([hooks.open, hooks.hiddenSince]).toEqual([[], undefined]);
});

test.each([1, undefined])(
  'rule 38: it is left to the terminal within a second once %s look at it',
  async (watchers) => {
    const { hooks, people, pass, poll } = openHooks();
    const waiting = poll(beside);
    const main = poll({ hook: 112 });
    await pass(5000);
    people.watchers = watchers;
    await pass(1000);
    expect([waiting.told(), main.told()]).toEqual(['dismissed', undefined]);
    expect(hooks.open).toHaveLength(1);
    expect(hooks.hiddenSince).toBeUndefined();
  },
);

test('rule 38: a decision that is on its way is not lost to somebody who comes meanwhile', async () => {
  const { hooks, people, pass, poll, decide } = openHooks({ find: async () => 'taken' });
  const waiting = poll(beside);
  const decided = decide('allow');
  await pass(100);
  people.watchers = 1;
  hooks.confirm(idOf(waiting.told()));
  await pass(1000);
  expect(decided()).toEqual({ outcome: 'taken' });
});

test.each([
  [0, undefined],
  [1, 'dismissed'],
  [undefined, 'dismissed'],
] as const)('rule 38: with %s people at the terminal its hook is told %s', async (count, told) => {
  const clock = new ManualClock();
  const questions = new Questions({
    ...{ clock, startOf: () => 'a', parentOf: () => 0, track: undefined, changed: () => undefined },
    ...{ asker: { agent: 'agt_1', epoch: 1 }, isFoundAgain: false, channel: undefined },
    ...{ read: () => question, watchers: async () => count },
  });
  let answer: HeldAnswer | undefined;
  const call = { event: 'PermissionRequest', body: { agent_id: 'a1' } };
  const never = new AbortController().signal;
  void questions.hold({ cli: 100, hook: 102, call }, never).then((said) => {
    answer = said;
  });
  await clock.pass(100);
  expect(answer).toBe(told);
  expect(questions.now.questions).toHaveLength(told === undefined ? 1 : 0);
});

test('an agent whose sub-agent asks is `waiting` since then, and one that has ended is not', () => {
  const view: StatusView = { status: 'completed', source: 'state', since: 5, composer: 'empty' };
  expect(withHidden(view, { hiddenSince: 7 })).toMatchObject({
    ...{ status: 'waiting', detail: 'permission', since: 7 },
  });
  expect(withHidden(view, {})).toBe(view);
  const ended = { ...view, status: 'exited' } as const;
  expect(withHidden(ended, { hiddenSince: 7 })).toBe(ended);
  const drawn = { ...view, status: 'waiting' } as const;
  expect(withHidden(drawn, { hiddenSince: 7 })).toBe(drawn);
});
