import { expect, test } from 'vitest';
import type { Agent } from '../../agents/agent.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import { MemoryLedger } from '../../store/memory/ledger.ts';
import type { FleetParts } from '../parts.ts';
import type { Roster } from '../roster.ts';
import { endWorker } from './end-worker.ts';

/** Takes so many writes, and then no more. */
class FullLedger extends MemoryLedger {
  left = Number.POSITIVE_INFINITY;

  override write<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T> {
    if (this.left-- > 0) return super.write(work);
    return Promise.reject(new Fault('ledger-unwritable', 'The disk is full.', 'Make room.'));
  }
}

const id = 'agt_worker';

/** A worker that rests for longer than it may. */
async function openWorker() {
  const ledger = new FullLedger();
  const now = systemClock.now();
  const worker: Agent = {
    ...{ id, name: 'worker', session: 'default', provider: 'generic', backend: 'fake' },
    ...{ epoch: 1, status: 'idle', source: 'screen', since: now - 10_000, notify: true },
    ...{ cwd: '/', createdAt: now - 10_000, endsWith: 'rest', role: { idleStopMs: 1 } },
  };
  const life = { agent: id, epoch: 1, backend: 'fake', provider: 'generic', tokenHash: 'h' };
  await ledger.write(async (tx) => {
    await tx.agents.insert(worker);
    await tx.epochs.insert({ ...life, argv: [], extraArgs: [], startedAt: now - 10_000 });
    const terminal = { agent: id, epoch: 1, server: 's', pane: '%1', pid: 0, startedAt: '' };
    await tx.epochs.setTerminal(id, 1, JSON.stringify(terminal));
  });
  const carried: string[] = [];
  const running = {
    id,
    seenAsWorker: {
      ...{ status: 'idle', composer: 'empty', restsMs: 10_000 },
      ...{ isBeside: false, watchers: 0 },
    },
    people: { look: async () => undefined },
    stopCarrying: async () => void carried.push('stopped'),
    carryAgain: () => void carried.push('again'),
  };
  const roster = {
    get: () => running,
    hold: (_: string, work: () => Promise<unknown>) => work(),
    find: async () => {
      const found = await ledger.read(async (tx) => ({
        agent: await tx.agents.find(id),
        epoch: await tx.epochs.find(id, 1),
      }));
      return found as Awaited<ReturnType<Roster['find']>>;
    },
  } as unknown as Roster;
  const parts = {
    ...{ ledger, surroundings: { clock: systemClock } },
    limits: { idleStopMs: 1, depth: 3, breadth: 10 },
  } as unknown as FleetParts;
  return { ledger, carried, end: () => endWorker(parts, roster, id) };
}

test.each([
  ['the mark', 0],
  ['the note of its end', 1],
])(
  'rules 53, 55: a ledger that cannot take %s leaves a worker that gets its messages',
  async (_, writes) => {
    const { ledger, carried, end } = await openWorker();
    // Nor what would take the mark back: the next reconciliation does that.
    ledger.left = writes;
    await expect(end()).rejects.toMatchObject({ code: 'ledger-unwritable' });
    expect(carried).toEqual(['stopped', 'again']);
  },
);
