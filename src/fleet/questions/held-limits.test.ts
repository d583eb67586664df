import { expect, test } from 'vitest';
import { cli, hook, idOf, openHooks } from '../../../test/support/held-hooks.ts';

test('rule 23: of a flood of hooks so many are held, and all others end with no decision', async () => {
  const { hooks, alive, parents, pass, poll, decide } = openHooks();
  const first = poll();
  let dismissed = 0;
  for (let i = 0; i < 10_000; i++) {
    alive.set(1000 + i, 'd');
    parents.set(1000 + i, cli);
    const one = poll({ hook: 1000 + i, subject: `Bash ${i}` });
    if (i % 1000 === 0) await pass(0);
    if (i >= 9000) {
      await Promise.resolve();
      if (one.told() === 'dismissed') dismissed++;
    }
  }
  await pass(100);
  expect(hooks.open).toHaveLength(50);
  expect(dismissed).toBe(1000);
  // Those that were first can be answered as ever, and make room for others.
  const decided = decide('deny');
  await pass(100);
  hooks.confirm(idOf(first.told()));
  hooks.note('Stop', { subject: '', asker: '' });
  await pass(100);
  expect(decided()).toMatchObject({ outcome: 'unknown' });
  expect(hooks.open).toEqual([]);
  poll();
  expect(hooks.open).toHaveLength(1);
});

test('rule 23: hooks with inputs of a megabyte are held up to a limit, too', async () => {
  const { hooks, alive, parents, pass, poll } = openHooks();
  for (let i = 0; i < 20; i++) {
    alive.set(1000 + i, 'd');
    parents.set(1000 + i, cli);
    const payload = { event: 'x', body: { tool_input: { command: `${i}`.repeat(500_000) } } };
    poll({ hook: 1000 + i, payload });
  }
  await pass(100);
  expect(hooks.open.length).toBeLessThan(9);
  expect(hooks.open.length).toBeGreaterThan(2);
});

test('rule 23: of two that are alike one at a time is decided, since records tell no difference', async () => {
  const { hooks, pass, poll, decide } = openHooks({ find: async () => 'taken' });
  const first = poll();
  poll({ hook: hook + 10 });
  const [one, other] = hooks.open.map(({ key }) => key);
  const allowed = decide('allow', one);
  const denied = decide('deny', other);
  await pass(100);
  expect(denied()).toMatchObject({ outcome: 'refused' });
  hooks.confirm(idOf(first.told()));
  await pass(200);
  expect(allowed()).toEqual({ outcome: 'taken' });
  expect(hooks.open.map(({ key }) => key)).toEqual([other]);
});

test('rule 41: behind one whose outcome nobody knows, a late record decides nothing about one that is alike', async () => {
  let shown: 'taken' | undefined;
  const { hooks, pass, poll, decide } = openHooks({ find: async () => shown });
  const first = poll();
  const second = poll({ hook: hook + 10 });
  const [one, other] = hooks.open.map(({ key }) => key);
  const unknown = decide('allow', one);
  await pass(100);
  hooks.confirm(idOf(first.told()));
  await pass(5200);
  expect(unknown()).toMatchObject({ outcome: 'unknown' });
  const next = decide('deny', other);
  await pass(100);
  hooks.confirm(idOf(second.told()));
  shown = 'taken';
  await pass(5200);
  expect(next()).toMatchObject({ outcome: 'unknown' });
});
