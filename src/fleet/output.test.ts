import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import type { Answer } from '../providers/provider.ts';
import { readOutput } from './output.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';

const nothing: Answer = { kind: 'no-response' };
const words: Answer = { kind: 'answer', text: 'yes', isPartial: false };
const emfile = Object.assign(new Error('too many open files'), { code: 'EMFILE' });

test('rule 41: a transcript that cannot be read is said, and never makes "no response" of what the screen lacks', async () => {
  expect(await read(async () => nothing, nothing)).toMatchObject({ response: 'none' });
  const searched = ['transcript (cannot be read: EMFILE)', 'snapshot'];
  const fail = () => Promise.reject(emfile);
  expect(await read(fail, nothing)).toEqual({ text: '', response: 'unknown', searched });
  expect(await read(fail, words)).toEqual({ text: 'yes', response: 'complete', searched });
  // A mistake of ours is no answer.
  await expect(read(() => Promise.reject(new Error('a bug')), words)).rejects.toThrow('a bug');
});

test('an answer of an earlier turn is said to be one', async () => {
  const earlier = { ...words, isEarlier: true } as const;
  const searched = ['transcript'];
  expect(await read(async () => words, nothing)).toEqual({
    ...{ text: 'yes', response: 'complete', searched },
  });
  expect(await read(async () => earlier, nothing)).toEqual({
    ...{ text: 'yes', response: 'complete', earlier: true, searched },
  });
});

test.each([
  ['screen', 'waiting', true],
  ['screen', 'processing', undefined],
  ['last', 'waiting', true],
  ['last', 'processing', undefined],
] as const)('rule 54: the %s of a terminal that shows %s', async (mode, status, asks) => {
  const backend = {
    look: async () => ({ lines: ['yes'] }),
    readText: async () => ({ text: 'yes', isPartial: false }),
  };
  const provider = { capabilities: { styledScreen: false } };
  const life = { backend, provider, terminal: {}, detect: () => ({ status }) };
  const unread = () => Promise.reject(emfile);
  expect((await read(unread, words, { mode, running: { life } })).asks).toBe(asks);
});

/** Of an agent that has ended, unless it runs. */
function read(
  readLastAnswer: () => Promise<Answer>,
  onScreen: Answer,
  { mode = 'last', running }: { mode?: 'last' | 'screen'; running?: object } = {},
) {
  const provider = {
    capabilities: { evidence: 'transcript' },
    readLastAnswer,
    cutLastAnswer: () => onScreen,
  };
  const home = tempHome();
  const folders = { run: home, snapshots: home };
  const parts = { providers: { find: async () => provider }, ownEnv: {}, folders };
  const epoch = { agent: 'agt_1', epoch: 1, provider: 'p', endedAt: 1, startedAt: 0 };
  const roster = {
    find: async () => ({ agent: { id: 'agt_1', cwd: '/srv/app' }, epoch }),
    get: () => running,
  };
  const signal = AbortSignal.timeout(5000);
  return readOutput(
    parts as unknown as FleetParts,
    roster as unknown as Roster,
    'agt_1',
    mode,
    signal,
  );
}
