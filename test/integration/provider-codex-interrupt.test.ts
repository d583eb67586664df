import { expect, test } from 'vitest';
import { openCodexLife } from '../support/codex-life.ts';
import { waitUntil } from '../support/wait-until.ts';

const thread = '01a1df43-314b-7581-8d5e-3fb4480e12a8';

async function open(turns: readonly object[], more: Parameters<typeof openCodexLife>[0] = {}) {
  const life = await openCodexLife(more);
  await waitUntil('the way in', () => life.native.blocked() === undefined);
  const [shown = thread] = life.server.threads.keys();
  life.server.threads.set(shown, { ...life.server.threads.get(shown), turns });
  const ends = () =>
    life.server.requests
      .filter(({ method }) => method === 'turn/interrupt')
      .map(({ params }) => params);
  return { ...life, shown, ends };
}

test('exactly the turn that runs is ended, by its id', async () => {
  const { native, shown, ends } = await open([{ id: 'turn_7', status: 'inProgress' }]);
  expect(await native.interrupt?.()).toEqual({ outcome: 'asked' });
  expect(ends()).toEqual([{ threadId: shown, turnId: 'turn_7' }]);
});

test.each([[[]], [[{ id: 'turn_7', status: 'completed' }]], [[{ status: 'inProgress' }]]])(
  'where no turn runs nothing is ended: %j',
  async (turns) => {
    const { native, ends } = await open(turns);
    expect(await native.interrupt?.()).toEqual({ outcome: 'at-rest' });
    expect(ends()).toEqual([]);
  },
);

test('a turn that has ended just then is refused by the server, and no other is ended', async () => {
  const { native } = await open([{ id: 'turn_7', status: 'inProgress' }], {
    refusals: { 'turn/interrupt': { code: -32_600, message: 'no active turn turn_7' } },
  });
  expect(await native.interrupt?.()).toEqual({
    outcome: 'refused',
    reason: 'no active turn turn_7',
  });
});

test('rule 41: a server that hangs up may have done it', async () => {
  const { native } = await open([{ id: 'turn_7', status: 'inProgress' }], {
    refusals: { 'turn/interrupt': 'hang-up' },
  });
  expect(await native.interrupt?.()).toMatchObject({ outcome: 'unknown' });
});
