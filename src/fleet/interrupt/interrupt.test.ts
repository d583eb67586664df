import { expect, test } from 'vitest';
import { FakeClock } from '../../../test/fakes/clock.ts';
import type { AgentStatus } from '../../agents/agent.ts';
import { interrupt } from './interrupt.ts';
import type { Working } from './working.ts';

const clock = new FakeClock();
const agent = { id: 'agt_1', name: 'lead', session: 'default' };
const look = { lines: [], title: '', columns: 80, rows: 24, isAlive: true };

/** An agent that has worked for long, and whose terminal takes every key. */
function open(more: Partial<Working> = {}) {
  let status: AgentStatus = 'processing';
  const keys: string[] = [];
  const backend = {
    capabilities: { cursor: true, humanTyping: true, typing: 'bytes' },
    state: () => ({ state: 'ready' }),
    look: async () => look,
    write: async (_: unknown, bytes: Buffer) => {
      keys.push(bytes.toString());
      status = 'completed';
      return 'written';
    },
  };
  const provider = { capabilities: { interruptKeys: [{ absent: [], present: ['work'] }] } };
  const detect = () => ({ status: 'processing', composer: 'empty', rule: 'busy' });
  const working: Working = {
    life: { agent, backend, provider, terminal: {}, detect } as never,
    native: undefined,
    view: () => ({ status, since: 0, source: 'screen', composer: 'empty' }),
    askedAt: () => undefined,
    mayAsk: () => false,
    pressed: () => undefined,
    ...more,
  };
  const run = (begin = async (): Promise<void> => undefined) => {
    const { signal } = new AbortController();
    return interrupt(working, clock, { limitMs: 300, signal, begin });
  };
  return { keys, run };
}

test('rule 45: the act begins on record, and one key ends the turn', async () => {
  const { keys, run } = open();
  let before: number | undefined;
  const done = await run(async () => {
    before = keys.length;
  });
  expect(before).toBe(0);
  expect(keys).toEqual(['\x1b']);
  expect(done).toMatchObject({ by: 'keys', presses: 1, isProven: true, hasAsked: false });
});

test('rule 39: while its CLI has told of a question nothing is begun or pressed, and it says why', async () => {
  const { keys, run } = open({ mayAsk: () => true });
  let hasBegun = false;
  const asked = run(async () => {
    hasBegun = true;
  });
  await expect(asked).rejects.toThrow('is about to ask a person something');
  expect([keys, hasBegun]).toEqual([[], false]);
});

test('rule 39: nor where it tells of one at the last moment', async () => {
  let mayAsk = false;
  const { keys, run } = open({ mayAsk: () => mayAsk });
  const asked = run(async () => {
    mayAsk = true;
  });
  await expect(asked).rejects.toThrow('is about to ask a person something');
  expect(keys).toEqual([]);
});

test('rule 39: one that it tells of behind the key is not hidden', async () => {
  let askedAt: number | undefined;
  const pressed = (): void => {
    askedAt = clock.monotonicMs() + 1;
  };
  const { run } = open({ askedAt: () => askedAt, pressed });
  expect(await run()).toMatchObject({ isProven: true, hasAsked: true });
});
