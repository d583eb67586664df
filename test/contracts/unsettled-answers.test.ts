import { expect, test } from 'vitest';
import { UnwrittenFault } from '../../src/shared/unwritten.ts';
import type { LedgerTransaction } from '../../src/store/ledger.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { addRunning, fault } from '../support/mail.ts';
import { read, TestServer, userTokenOfTests } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A disk that is full from the next write on, until it is not. */
class FullDisk extends MemoryLedger {
  isFull = false;

  override write<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T> {
    if (!this.isFull) return super.write(work);
    const full = new UnwrittenFault('ledger-unwritable', {
      ...{ why: 'The disk is full.', unchanged: 'Nothing was changed.' },
      ...{ remedy: 'Free some space', next: 'Free some space.' },
    });
    return Promise.reject(full);
  }
}

async function openAsked() {
  const ledger = new FullDisk();
  const server = new TestServer({ ledger });
  const worker = await addRunning(server, 'worker');
  const question = { id: 'qabcdef', asks: 'command', text: 'make', decisions: ['allow'] } as const;
  server.fleet.asked = { questions: [question], isBlind: false, isComing: false };
  server.fleet.decided = { outcome: 'taken' };
  const decided: string[] = [];
  const { decide } = server.fleet;
  const carry: typeof decide = async (...given) => {
    decided.push(given[2]);
    return decide.apply(server.fleet, given);
  };
  Object.assign(server.fleet, { decide: carry });
  const allow = () =>
    server.post(
      '/agents/worker/questions/qabcdef',
      { decision: 'allow' },
      { 'signalbox-user': userTokenOfTests },
    );
  const list = () => ledger.read((tx) => tx.answers.list(worker.id, 10));
  return { ledger, server, decided, allow, list };
}

test('rule 54: with no room for the row of a decision nothing is decided, and it says so', async () => {
  const { ledger, decided, allow, list } = await openAsked();
  ledger.isFull = true;
  const refused = await allow();
  expect(await fault(refused)).toEqual([expect.any(Number), 'ledger-unwritable']);
  expect(decided).toEqual([]);
  ledger.isFull = false;
  expect(await list()).toEqual([]);
  expect((await allow()).status).toBe(200);
  expect(decided).toEqual(['allow']);
});

test('rule 54: what came of a decision is written once there is room, and until then it says so', async () => {
  const { ledger, server, decided, allow, list } = await openAsked();
  const { decide } = server.fleet;
  Object.assign(server.fleet, {
    decide: async (...given: Parameters<typeof decide>) => {
      ledger.isFull = true;
      return decide.apply(server.fleet, given);
    },
  });
  const cut = await read(await allow());
  expect(cut.error).toMatchObject({
    code: 'ledger-unwritable',
    message: expect.stringMatching(/^The answer to qabcdef was taken, and what came of it is not/),
    next: expect.stringContaining('Do not answer again'),
  });
  expect(decided).toEqual(['allow']);
  ledger.isFull = false;
  await waitUntil('its outcome', async () => (await list())[0]?.outcome === 'taken');
});

test('rule 54: of a decision that reached nobody it never says that it was given, with a full disk neither', async () => {
  const { ledger, server, allow, list } = await openAsked();
  const decide = async () => {
    ledger.isFull = true;
    return { outcome: 'refused', reason: 'its server is gone' } as const;
  };
  Object.assign(server.fleet, { decide });
  const answer = await allow();
  expect((await read(answer)).error).toMatchObject({
    code: 'undeliverable',
    message: expect.stringContaining('did not reach'),
  });
  ledger.isFull = false;
  await waitUntil('its row', async () => (await list())[0]?.outcome === 'refused');
});
