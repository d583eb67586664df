import { expect, test } from 'vitest';
import { FakeClock } from '../../test/fakes/clock.ts';
import { FakeHosts } from '../../test/fakes/host.ts';
import type { Agent } from '../agents/agent.ts';
import { Bus } from '../events/bus.ts';
import { add } from '../fleet/add.ts';
import { Fault } from '../shared/fault.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { assign } from './assign.ts';

async function openTeam() {
  const clock = new FakeClock();
  const ledger = new MemoryLedger();
  const unused = (): never => {
    throw new Error('nothing is launched here');
  };
  const team = {
    ...{ ledger, surroundings: { clock, host: new FakeHosts().start() } },
    bus: new Bus({ clock, boot: 'boot1', onError: unused }),
    fleet: { launch: unused },
    findTarget: async () => {
      throw new Fault('provider-not-found', 'There is none.', 'Name another.');
    },
  };
  const join = (name: string) =>
    add(ledger, clock, { name, session: 'default', notify: true, cwd: '' });
  const give = (caller: Agent, to: Agent) =>
    assign(team, {
      caller: { kind: 'agent', agent: caller },
      to: to.name,
      body: 'Do it.',
      cwd: '/',
      callerEnv: {},
    });
  return { ledger, join, give };
}

test('rule 30: of two that give each other a task at the same moment one is refused', async () => {
  const { ledger, join, give } = await openTeam();
  const [one, two] = [await join('one'), await join('two')];
  const ends = await Promise.allSettled([give(one, two), give(two, one)]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'not-allowed' },
  });
  expect(await ledger.read((tx) => tx.debts.listOpen())).toHaveLength(1);
});

test('rule 30: nor can three close a circle', async () => {
  const { join, give } = await openTeam();
  const [one, two, three] = [await join('one'), await join('two'), await join('three')];
  await give(one, two);
  const ends = await Promise.allSettled([give(two, three), give(three, one)]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});
