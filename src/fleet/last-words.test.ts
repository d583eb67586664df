import { expect, test } from 'vitest';
import type { AgentContext, Answer } from '../providers/provider.ts';
import { readLastWords } from './last-words.ts';
import type { Life } from './life.ts';

const own: Answer = { kind: 'answer', text: 'Half a sen', isPartial: false };
const earlier: Answer = { ...own, text: 'What the person asked for.', isEarlier: true };

for (const outcome of ['interrupted', 'unknown', 'failed', 'exited'] as const) {
  test(`rule 27: the words of a turn that ended as ${outcome} are its own, and none of an earlier turn`, async () => {
    expect(await read(own, outcome)).toBe('Half a sen');
    expect(await read(earlier, outcome)).toBeUndefined();
    expect(await read({ kind: 'no-response' }, outcome)).toBeUndefined();
  });
}

test('rule 27: a turn that ended well keeps its words though the next one has begun by now', async () => {
  expect(await read(earlier, 'completed')).toBe('What the person asked for.');
});

function read(answer: Answer, outcome: Parameters<typeof readLastWords>[2]['outcome']) {
  const life = { provider: { readLastAnswer: async () => answer } } as unknown as Life;
  const context = {} as unknown as AgentContext;
  return readLastWords(life, context, { outcome, signal: AbortSignal.timeout(5000) });
}
