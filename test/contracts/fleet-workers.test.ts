import { expect, test } from 'vitest';
import { type Agent, userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import type { MessageDraft } from '../../src/messages/message.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Fault } from '../../src/shared/fault.ts';
import type { LedgerTransaction } from '../../src/store/ledger.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import type { Terminal, WantedTerminal } from '../../src/terminals/terminal.ts';
import { FakeBackend } from '../fakes/backend.ts';
import { openWorld, pidOf } from './fleet-world.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

/** Whoever asked hears of it after the next one has been asked. */
class LateLedger extends MemoryLedger {
  override async read<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T> {
    const found = await super.read(work);
    await new Promise((resolve) => setImmediate(resolve));
    return found;
  }
}

/** A child of the lead that an agent has stopped: it comes back like one that ended by itself. */
async function openTeam(options: Parameters<typeof openWorld>[0] = {}) {
  const world = await openWorld(options);
  // What it launches is a program with arguments, which counts as `all`.
  const lead = await world.launch('lead', { role: { permission: 'all' } });
  const worker = await world.launch('worker', { parent: lead.id, callerAgent: lead.id });
  await world.fleet.stop(worker.id, 'parent');
  return { ...world, lead, worker };
}

async function send({ ledger }: World, to: Agent, more: Partial<MessageDraft> = {}) {
  const draft = { kind: 'message', from: userAgentId, to: to.id, body: 'Hello', ...more } as const;
  const [accepted] = await accept(ledger, systemClock, [draft]);
  if (accepted?.outcome !== 'accepted') throw new Error(accepted?.outcome);
  return accepted.message;
}

const find = ({ ledger }: World, { id }: Agent) => ledger.read((tx) => tx.agents.find(id));

test('rule 55: two that bring it back at once start one life, and nothing starts it without a call', async () => {
  const world = await openTeam();
  const { fleet, backend, worker } = world;
  await fleet.bringBack(worker.id);
  expect(await find(world, worker)).toMatchObject({ status: 'exited', epoch: 1 });
  await send(world, worker, { kind: 'task' });
  await Promise.all([fleet.bringBack(worker.id), fleet.bringBack(worker.id)]);
  const back = await find(world, worker);
  expect(back).toMatchObject({ epoch: 2 });
  expect([back?.endedBy, back?.calledBy]).toEqual([undefined, undefined]);
  expect(pidOf(backend, worker.id)).toBeGreaterThan(0);
  await fleet.bringBack(worker.id);
  expect((await find(world, worker))?.epoch).toBe(2);
});

test('rules 31, 55: one that cannot be started leaves nobody waiting, and the next word tries again', async () => {
  let isBroken = false;
  const world = await openTeam({
    tools: async () => {
      if (isBroken) throw new Fault('launch-failed', 'There are no tools today.', 'Try tomorrow.');
      return undefined;
    },
  });
  const { fleet, ledger, worker, lead } = world;
  isBroken = true;
  for (const from of [userAgentId, lead.id]) {
    const { id } = await send(world, worker, { kind: 'task', from });
    await fleet.bringBack(worker.id);
    const debt = await ledger.read((tx) => tx.debts.find(id));
    expect(debt).toMatchObject({ end: 'exited' });
    const told = await ledger.read((tx) => tx.messages.find(debt?.endedBy ?? ''));
    expect(told?.body).toContain('could not be brought back: There are no tools today.');
    expect(told?.body).toContain(`Still in its inbox, for a restart: ${id}.`);
  }
  await send(world, worker);
  await fleet.bringBack(worker.id);
  const [notice] = await ledger.read((tx) =>
    tx.messages
      .list({ to: userAgentId, states: ['queued'], limit: 9 })
      .then((all) => all.slice(-1)),
  );
  expect(notice).toMatchObject({ kind: 'notice' });
  expect(notice?.body).toContain('What you sent it waits in its inbox.');
  isBroken = false;
  await send(world, worker);
  await fleet.bringBack(worker.id);
  expect((await find(world, worker))?.calledBy).toBeUndefined();
  // Whoever gave a task is owed an answer again.
  expect(await ledger.read((tx) => tx.debts.listOwedBy(worker.id))).toHaveLength(2);
});

test('rule 55: a backend that is away for a moment keeps the call', async () => {
  const world = await openTeam();
  const { fleet, backend, worker } = world;
  await send(world, worker);
  backend.gates.list = async () => {
    throw new Fault('backend-lost', 'It is away.', 'Wait.');
  };
  await expect(fleet.bringBack(worker.id)).rejects.toMatchObject({ code: 'backend-lost' });
  expect(await find(world, worker)).toMatchObject({ calledBy: userAgentId, status: 'exited' });
  backend.gates.list = async () => undefined;
  await fleet.bringBack(worker.id);
  expect((await find(world, worker))?.calledBy).toBeUndefined();
});

const failures = {
  ENOSPC: 'ENOSPC: no space left on device, write',
  EMFILE: 'EMFILE: too many open files, open',
} as const;

test.each([
  ['before its life is noted', 'ENOSPC', 'tools'],
  ['after its life is noted', 'ENOSPC', 'launch'],
  ['after its life is noted', 'EMFILE', 'launch'],
] as const)(
  'rules 31, 41, 55: a start that fails %s, for %s, is tried again; the task waits, and `status` says why',
  async (_, code, where) => {
    let isFull = false;
    const fail = async (): Promise<undefined> => {
      if (isFull) throw Object.assign(new Error(failures[code]), { code });
      return undefined;
    };
    const world = await openTeam(where === 'tools' ? { tools: fail } : {});
    const { fleet, ledger, backend, worker, lead } = world;
    if (where === 'launch') backend.gates.launch = fail;
    const endingNow = () =>
      ledger.read(async (tx) => {
        const now = await tx.agents.find(worker.id);
        return now && fleet.endingOf(tx, now);
      });
    const { id } = await send(world, worker, { kind: 'task', from: lead.id });
    await send(world, worker);
    isFull = true;
    for (const _try of [1, 2]) {
      await expect(fleet.bringBack(worker.id)).rejects.toThrow(failures[code]);
      expect((await find(world, worker))?.calledBy).toBeDefined();
      expect((await ledger.read((tx) => tx.debts.find(id)))?.endedAt).toBeUndefined();
      expect(await endingNow()).toEqual({
        code: 'coming-back',
        held: expect.stringContaining(failures[code]),
      });
    }
    for (const who of [userAgentId, lead.id]) expect(await noticesOf(world, who)).toEqual([]);
    isFull = false;
    await fleet.bringBack(worker.id);
    expect((await find(world, worker))?.calledBy).toBeUndefined();
    expect(await ledger.read((tx) => tx.debts.listOwedBy(worker.id))).toHaveLength(1);
    expect(await endingNow()).not.toMatchObject({ code: 'coming-back' });
  },
);

test('rules 31, 55: a person who stops it before it is back stops it for good, and its giver is told', async () => {
  const world = await openTeam();
  const { fleet, ledger, worker, lead } = world;
  const { id } = await send(world, worker, { kind: 'task', from: lead.id });
  expect((await fleet.stop(worker.id, 'person')).outcome).toBe('already');
  await fleet.bringBack(worker.id);
  expect(await find(world, worker)).toMatchObject({ epoch: 1, endedBy: 'person' });
  expect(await ledger.read((tx) => tx.debts.find(id))).toMatchObject({ end: 'exited' });
});

test('rule 55: within the limit on children a call of the parent waits, and one of the user does not', async () => {
  const world = await openTeam({ backends: [new FakeBackend()] });
  const { fleet, ledger, worker, lead } = world;
  const launchNext = (n: number) =>
    world.launch(`child-${n}`, { parent: lead.id, callerAgent: lead.id });
  for (let n = 1; n <= 9; n++) await launchNext(n);
  await send(world, worker, { from: lead.id });
  // One that is called counts as running for a launch.
  await expect(launchNext(10)).rejects.toMatchObject({ code: 'not-allowed' });
  await fleet.bringBack(worker.id);
  expect((await find(world, worker))?.epoch).toBe(2);
  await fleet.stop(worker.id, 'parent');
  await launchNext(11);
  await send(world, worker, { from: lead.id });
  await fleet.bringBack(worker.id);
  expect(await find(world, worker)).toMatchObject({ epoch: 2, calledBy: lead.id });
  const ending = await ledger.read(async (tx) => {
    const now = await tx.agents.find(worker.id);
    return now && fleet.endingOf(tx, now);
  });
  expect(ending).toEqual({ code: 'no-room' });
  await send(world, worker);
  await fleet.bringBack(worker.id);
  expect((await find(world, worker))?.epoch).toBe(3);
});

test('rule 55: of two that the parent calls at once for one place, one comes and the other waits', async () => {
  const world = await openTeam({ ledger: new LateLedger() });
  const { fleet, worker, lead } = world;
  const below = { parent: lead.id, callerAgent: lead.id };
  const other = await world.launch('other', below);
  await fleet.stop(other.id, 'parent');
  for (let n = 1; n <= 9; n++) await world.launch(`child-${n}`, below);
  for (const one of [worker, other]) await send(world, one, { from: lead.id });
  await Promise.all([worker, other].map(({ id }) => fleet.bringBack(id)));
  const called = [await find(world, worker), await find(world, other)].map(
    (agent) => agent?.calledBy,
  );
  expect(called.toSorted()).toEqual([lead.id, undefined]);
});

/** What the user is told, beside what was sent to others. */
const noticesOf = async ({ ledger }: World, to: string) => {
  const messages = await ledger.read((tx) =>
    tx.messages.list({ to, states: ['queued'], limit: 99 }),
  );
  return messages.filter(({ kind }) => kind === 'notice').map(({ body }) => body);
};

/** What comes back in it ends at once. */
class ShortLives extends FakeBackend {
  override async launch(wanted: WantedTerminal): Promise<Terminal> {
    const terminal = await super.launch(wanted);
    if (wanted.epoch > 1) this.die(wanted.agent, 3);
    return terminal;
  }
}

test('rules 31, 55: whoever only wrote to one whose program ends at its start is told, once', async () => {
  const world = await openTeam({ backends: [new ShortLives()] });
  const { fleet, lead, worker } = world;
  for (const from of [lead.id, userAgentId]) await send(world, worker, { from });
  await fleet.bringBack(worker.id);
  expect(await find(world, worker)).toMatchObject({ status: 'exited', detail: 'exit 3', epoch: 2 });
  for (const id of [userAgentId, lead.id]) {
    expect(await noticesOf(world, id)).toEqual([
      expect.stringMatching(/could not be brought back: .*exit 3.*waits in its inbox/),
    ]);
  }
});

test('rules 31, 55: whoever gave it a task as well is told of that alone', async () => {
  const world = await openTeam({ backends: [new ShortLives()] });
  const { fleet, ledger, lead, worker } = world;
  await send(world, worker, { from: lead.id });
  const { id } = await send(world, worker, { from: lead.id, kind: 'task' });
  await fleet.bringBack(worker.id);
  expect(await ledger.read((tx) => tx.debts.find(id))).toMatchObject({ end: 'exited' });
  expect(await noticesOf(world, lead.id)).toEqual([]);
});

test('rule 55: nobody is told that one could not be brought back which was removed meanwhile', async () => {
  const world = await openTeam();
  const { fleet, worker } = world;
  await send(world, worker);
  const removed = fleet.remove(worker.id, { isByUser: true });
  await fleet.bringBack(worker.id);
  await removed;
  expect(await noticesOf(world, userAgentId)).toEqual([]);
});

test('rule 55: a call of a parent that was removed meanwhile ends without a word to nobody', async () => {
  let isBroken = false;
  const world = await openTeam({
    tools: async () => {
      if (isBroken) throw new Fault('launch-failed', 'There are no tools today.', 'Try tomorrow.');
      return undefined;
    },
  });
  const { fleet, worker, lead } = world;
  await send(world, worker, { from: lead.id });
  await fleet.remove(lead.id, { isByUser: true });
  isBroken = true;
  await fleet.bringBack(worker.id);
  expect((await find(world, worker))?.calledBy).toBeUndefined();
  expect(await noticesOf(world, lead.id)).toEqual([]);
});
