import { expect, test } from 'vitest';
import type { Answer } from '../../src/agents/answer.ts';
import { Fault } from '../../src/shared/fault.ts';
import type { LedgerTransaction } from '../../src/store/ledger.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { openWorld } from './fleet-world.ts';

/** Takes nothing while it is full. */
class FullLedger extends MemoryLedger {
  isFull = false;

  override write<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T> {
    if (!this.isFull) return super.write(work);
    return Promise.reject(new Fault('ledger-unwritable', 'The disk is full.', 'Make room.'));
  }
}

test('rule 54: a ledger that takes nothing keeps no fleet from its start, and what was left undecided is settled before the next decision', async () => {
  const ledger = new FullLedger();
  const row = (id: string): Answer => ({
    ...{ id, agent: 'agt_1', epoch: 1, question: 'q', asks: 'command', text: 'make' },
    ...{ decision: 'allow', outcome: 'deciding', by: 'agt_user', place: 'terminal', at: 1 },
  });
  await ledger.write((tx) => tx.answers.insert(row('ans_1')));
  ledger.isFull = true;
  const { fleet, warnings } = await openWorld({ ledger });
  expect(warnings.join()).toContain('is tried again');
  await expect(fleet.settleLeft()).rejects.toMatchObject({ code: 'ledger-unwritable' });
  ledger.isFull = false;
  await fleet.settleLeft();
  await ledger.write((tx) => tx.answers.insert(row('ans_2')));
  await fleet.settleLeft();
  const answers = await ledger.read((tx) => tx.answers.list('agt_1', 9));
  expect(answers.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['ans_2', 'deciding'],
    ['ans_1', 'unknown'],
  ]);
});
