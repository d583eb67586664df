import { expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { InboxList } from '../../src/protocol/messages.ts';
import { sweep } from '../support/sweep.ts';
import { fill, openBox } from './fixtures/box.ts';

const many = sweep(100_000, 3000);

test(`rules 15, 17: with ${many} queued for one recipient everything works, a thousand at a time, in order`, {
  timeout: 900_000,
}, async () => {
  const box = await openBox('worker', 'other');
  const bodies = Array.from({ length: many }, (_, i) => `message ${i}`);
  await fill(box.home, 'worker', bodies);
  const { id: last } = await box.ask<{ id: string }>('send', 'worker', `message ${many}`);
  await box.send('other', 'not held up');
  expect((await box.drain('other')).messages).toMatchObject([{ body: 'not held up' }]);

  const { agents } = await box.ask<{ agents: readonly AgentView[] }>('ls');
  const worker = agents.find(({ name }) => name === 'worker');
  expect(worker?.inbox.queued).toBe(many + 1);
  const listed = await box.ask<InboxList>('inbox', 'list', 'worker');
  expect([listed.messages.length, listed.remaining]).toEqual([1000, many - 999]);
  const three = await box.ask<InboxList>('inbox', 'list', 'worker', '--max', '3');
  expect(three.messages.map(({ body }) => body)).toEqual(['message 0', 'message 1', 'message 2']);

  // A bound beyond the thousand changes nothing (rule 17).
  for (const [round, bound] of [[], ['--max', '5000'], []].entries()) {
    const { messages, remaining } = await box.drain('worker', ...bound);
    expect(messages.map(({ body }) => body)).toEqual(
      bodies.slice(round * 1000, round * 1000 + 1000),
    );
    expect(remaining).toBe(many + 1 - (round + 1) * 1000);
  }
  expect((await box.explain(last)).message.state).toBe('queued');
  expect(await box.ask('doctor')).toMatchObject({
    ok: true,
    ledger: { messages: { acked: 3001, queued: many - 2999 } },
  });
});
