import { expect, test } from 'vitest';
import { createPuller, userAgentId } from '../agents/agent.ts';
import type { MessageState } from '../messages/message.ts';
import { Fault } from '../shared/fault.ts';
import { createId } from '../shared/ids.ts';
import type { Ledger } from '../store/ledger.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { MailNews } from './mail-news.ts';

async function open() {
  const memory = new MemoryLedger();
  for (const name of ['lead', 'worker']) {
    const row = { ...createPuller(`agt_${name}`, 0), name, session: 's', notify: true, cwd: '/' };
    await memory.write((tx) => tx.agents.insert(row));
  }
  let failure: Fault | undefined;
  const ledger: Ledger = Object.assign(Object.create(memory) as Ledger, {
    read: async (work: never) => {
      if (failure) throw failure;
      return memory.read(work);
    },
  });
  const told: string[] = [];
  const publish = (event: { readonly kind: string; readonly message?: string }): void =>
    void told.push(event.message ?? event.kind);
  const news = new MailNews({ ledger, bus: { publish } });
  const put = async (to: string = userAgentId): Promise<string> => {
    const id = createId('msg', 0);
    const draft = { id, from: 'agt_lead', to, kind: 'message', body: 'x', createdAt: 0 } as const;
    await memory.write((tx) =>
      tx.messages.insert([{ ...draft, state: 'queued', cause: 'accepted' }]),
    );
    return id;
  };
  const note = (id: string, state: MessageState = 'queued', to: string = userAgentId): void =>
    news.note({ id, state, to });
  return {
    ...{ news, told, put, note },
    fail: (fault: Fault | undefined) => {
      failure = fault;
    },
  };
}

test('rule 48: a message of another process is told once, and what lay there before is no news', async () => {
  const { news, told, put } = await open();
  await put();
  await news.start();
  const id = await put();
  await put('agt_worker');
  await Promise.all([news.look(), news.look()]);
  await news.look();
  expect(told).toEqual([id]);
});

test('rule 48: what this process has told itself is not told again, however much that is', async () => {
  const { news, told, put, note } = await open();
  await news.start();
  for (let n = 0; n < 1500; n++) note(await put());
  await news.look();
  const id = await put();
  note('msg_other', 'queued', 'agt_worker');
  note(id, 'acked');
  await news.look();
  expect(told).toEqual([id]);
});

test('rule 48: a ledger that could not be read is read at the next word', async () => {
  const { news, told, put, fail } = await open();
  await news.start();
  fail(new Fault('ledger-busy', 'Others write.', 'Try again.'));
  const id = await put();
  await news.look();
  expect(told).toEqual([]);
  fail(undefined);
  await news.look();
  expect(told).toEqual([id]);
});
