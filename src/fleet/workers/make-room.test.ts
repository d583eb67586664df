import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/fakes/manual-clock.ts';
import type { Agent } from '../../agents/agent.ts';
import { MemoryLedger } from '../../store/memory/ledger.ts';
import type { FleetParts } from '../parts.ts';
import type { Roster } from '../roster.ts';
import { makeRoom } from './make-room.ts';
import type { SeenWorker } from './read-facts.ts';

const lead = 'agt_lead';

interface Wish {
  readonly watchers: number | undefined;
  /** How long each of its children has rested. */
  readonly restsMs: readonly number[];
  readonly isDone?: boolean;
}

/** A lead with as many children as it may have, each of a handoff; who of them was begun to end. */
async function open({ watchers, restsMs, isDone = true }: Wish) {
  const clock = new ManualClock();
  const ledger = new MemoryLedger();
  const now = clock.now();
  const seen = new Map<string, SeenWorker>();
  for (const [n, ms] of restsMs.entries()) {
    const id = `agt_${n}`;
    // Wall time tells the opposite: somebody has set the clock.
    const since = now + ms;
    const child: Agent = {
      ...{ id, name: `worker-${n}`, session: 'default', provider: 'generic', backend: 'herdr' },
      ...{ epoch: 1, status: 'completed', source: 'screen', since, notify: true, parent: lead },
      ...{ cwd: '/', createdAt: now - 100_000, endsWith: 'task' },
    };
    seen.set(id, {
      status: 'completed',
      composer: 'empty',
      restsMs: ms,
      isBeside: false,
      watchers,
    });
    await ledger.write(async (tx) => {
      await tx.agents.insert(child);
      const life = { agent: id, epoch: 1, backend: 'herdr', provider: 'generic', tokenHash: id };
      await tx.epochs.insert({ ...life, argv: [], extraArgs: [], startedAt: now - 100_000 });
      if (!isDone) return;
      const task = `msg_${n}`;
      await tx.debts.insert({ task, debtor: id, creditor: lead, givenAt: now - 90_000 });
      await tx.debts.end(task, 'answered', undefined, now - ms);
    });
  }
  const begun: string[] = [];
  const roster = {
    get: (id: string) => ({ id, seenAsWorker: seen.get(id) }),
    hold: async (id: string) => {
      begun.push(id);
      const since = clock.now();
      const status = { status: 'exited', detail: 'task done', source: 'process', since } as const;
      await ledger.write((tx) => tx.agents.setStatus(id, status));
      return true;
    },
  } as unknown as Roster;
  const parts = {
    ...{ ledger, surroundings: { clock } },
    limits: { idleStopMs: 1_800_000, depth: 3, breadth: restsMs.length },
  } as unknown as FleetParts;
  const made = makeRoom(parts, roster, { callerAgent: lead, parent: undefined });
  for (let n = 0; n < 100; n++) await clock.pass(100);
  await made;
  return begun;
}

test('rule 55: where a parent has as many children as it may, those that are done end first', async () => {
  expect(await open({ watchers: 0, restsMs: [3000, 5000] })).toEqual(['agt_0', 'agt_1']);
});

test('rule 55: where nobody can tell who is watched, the one that is done for longest gives its place', async () => {
  expect(await open({ watchers: undefined, restsMs: [3000, 9000, 5000] })).toEqual(['agt_1']);
});

test('rule 55: nobody is ended for another who is watched, or whose task came to no end', async () => {
  expect(await open({ watchers: 1, restsMs: [3000, 5000] })).toEqual([]);
  expect(await open({ watchers: undefined, restsMs: [3000, 5000], isDone: false })).toEqual([]);
});
