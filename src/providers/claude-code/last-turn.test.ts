import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import type { AgentContext } from '../provider.ts';
import { findLastTurn } from './last-turn.ts';

function write(lines: readonly object[]): AgentContext {
  const home = tempHome();
  const folder = join(home, '.claude', 'projects', '-srv-app');
  mkdirSync(folder, { recursive: true });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, 'conv-1.jsonl'), text);
  return {
    env: { HOME: home },
    cwd: '/srv/app',
    conversation: 'conv-1',
  } as unknown as AgentContext;
}

const { signal } = new AbortController();

test('rule 26: the last turn is that of the last prompt, whatever was said since, and of no sub-agent', async () => {
  const context = write([
    { type: 'user', promptId: 'p1', message: { content: 'first' } },
    { type: 'assistant', message: { content: [] } },
    { type: 'user', promptId: 'p2', message: { content: 'second' } },
    { type: 'user', promptId: 'p3', isSidechain: true, message: { content: 'a sub-agent' } },
    { type: 'assistant', message: { content: [{ type: 'text', text: 'He said "promptId".' }] } },
  ]);
  expect(await findLastTurn(context, signal)).toEqual({ session: 'conv-1', id: 'p2' });
});

test('without a prompt, a transcript or a conversation there is none', async () => {
  const context = write([{ type: 'summary' }]);
  expect(await findLastTurn(context, signal)).toBeUndefined();
  expect(await findLastTurn({ ...context, conversation: 'conv-2' }, signal)).toBeUndefined();
  const { conversation: _, ...without } = context;
  expect(await findLastTurn(without as AgentContext, signal)).toBeUndefined();
});
