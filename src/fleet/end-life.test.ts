import { expect, test } from 'vitest';
import { FakeClock } from '../../test/fakes/clock.ts';
import { FakeHosts } from '../../test/fakes/host.ts';
import { type Agent, type AgentStatus, userAgentId } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import { accept } from '../delivery/accept.ts';
import { claim, recordInjected } from '../delivery/claim.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { add } from './add.ts';
import { endLife } from './end-life.ts';
import { endTurn } from './end-turn.ts';
import type { FleetParts } from './parts.ts';

/** A child in its first life, with a task of the user in its conversation if there is to be one. */
async function open({ task = false, provable = false } = {}) {
  const ledger = new MemoryLedger();
  const clock = new FakeClock();
  const here = { clock, host: new FakeHosts().start() };
  const wanted = { session: 'default', notify: true, cwd: '/srv/app' };
  const parent = await add(ledger, clock, { ...wanted, name: 'lead' });
  const { id } = await add(ledger, clock, { ...wanted, name: 'worker', parent: parent.id });
  const epoch: Epoch = {
    ...{ agent: id, epoch: 1, backend: 'fake', provider: 'generic', argv: [], extraArgs: [] },
    ...{ tokenHash: 'x', startedAt: clock.now() },
  };
  await ledger.write(async (tx) => {
    await tx.agents.setEpoch(id, 1);
    await tx.epochs.insert(epoch);
  });
  if (task) {
    const draft = { kind: 'task', from: userAgentId, to: id, body: 'Build the API' } as const;
    await accept(ledger, clock, [draft]);
    await ledger.write(async (tx) => {
      const request = { recipient: id, route: 'native', epoch: 1, provable, count: 9, bytes: 9e9 };
      const taken = await claim(tx, here, { ...request, route: 'native' });
      if (taken.outcome === 'claimed') {
        await recordInjected(tx, clock.now(), taken.claim.token, 'taken');
      }
    });
  }
  const exits: string[] = [];
  const parts = {
    ledger,
    folders: { run: '/nonexistent/run' },
    announce: { status: () => undefined, exited: () => void exits.push('exited') },
    log: { warn: () => undefined },
  } as unknown as FleetParts;
  const find = async (): Promise<Agent> => {
    const found = await ledger.read((tx) => tx.agents.find(id));
    if (!found) throw new Error('no agent');
    return found;
  };
  return {
    ledger,
    clock,
    exits,
    id,
    find,
    /** Its process ends while it is like this. */
    end: async (status: AgentStatus) => {
      const now = { status, source: 'screen', since: clock.now() } as const;
      await ledger.write((tx) => tx.agents.setStatus(id, now));
      const end = { at: clock.now(), cause: 'exit', exitCode: 3 } as const;
      return endLife(parts, await find(), epoch, end);
    },
    told: async () => {
      const all = await ledger.read((tx) => tx.messages.list({ states: ['queued'], limit: 10 }));
      return all
        .filter(({ kind }) => kind === 'completion')
        .map(({ to, outcome, body }) => [to === parent.id ? 'lead' : to, outcome, body]);
    },
  };
}

const cut = 'Its process ended in the middle of a turn: exit 3.';

test.each(['processing', 'waiting'] as const)(
  'rule 27, O15: a process that ends while it is %s is reported like the end of a turn, once',
  async (status) => {
    const life = await open();
    expect(await life.end(status)).toBe(true);
    expect(await life.find()).toMatchObject({ status: 'exited', detail: 'exit 3' });
    expect(await life.end(status)).toBe(false);
    expect(await life.told()).toEqual([['lead', 'exited', cut]]);
    expect(life.exits).toEqual(['exited']);
  },
);

test('rule 27: one that rests and owes nothing ends without a word', async () => {
  const life = await open();
  await life.end('idle');
  expect(await life.told()).toEqual([]);
});

test('rule 27: one that rests and owes an answer is reported, also to whom it owes it', async () => {
  const life = await open({ task: true });
  await life.end('idle');
  const body =
    /^Its process ended before it had answered: exit 3\. Still in its inbox, for a restart: msg_\w+\.$/;
  expect(await life.told()).toEqual([
    ['lead', 'exited', expect.stringMatching(body)],
    [userAgentId, 'exited', expect.stringMatching(body)],
  ]);
});

test('rule 27: what an earlier turn answered is not owed', async () => {
  const life = await open({ task: true });
  const { ledger, clock, id } = life;
  const turn = { session: 's', id: 't', outcome: 'completed', text: 'Done.' } as const;
  await endTurn(ledger, clock, { child: id, epoch: 1, ...turn });
  await life.end('completed');
  expect((await life.told()).map(([, outcome]) => outcome)).toEqual(['completed', 'completed']);
});

test('rules 4, 10, 27, 31: a task that may not have been read is uncertain, and whoever waits is told', async () => {
  const life = await open({ task: true, provable: true });
  await life.end('idle');
  const outcomes = (await life.told()).map(([to, outcome]) => [to, outcome]);
  expect(outcomes).toEqual([
    ['lead', 'exited'],
    [userAgentId, 'exited'],
  ]);
  const query = { to: life.id, states: ['uncertain'], limit: 9 } as const;
  expect(await life.ledger.read((tx) => tx.messages.count(query))).toBe(1);
});
