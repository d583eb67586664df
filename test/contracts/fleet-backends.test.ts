import { expect, test } from 'vitest';
import type { Recipient } from '../../src/delivery/recipient.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { FakeBackend } from '../fakes/backend.ts';
import { idleDelivery } from '../fakes/idle-delivery.ts';
import { env, openWorld, pidOf, status, until, wanted } from './fleet-world.ts';

test('B1: each agent has its backend for its whole life, restarts and children included', async () => {
  const { fleet, one, two, launch } = await openTwo();
  const first = await launch('first');
  // Nobody needed the other one so far.
  expect([one.starts, two.starts]).toEqual([1, 0]);
  const second = await launch('second', { terminal: 'two', role: { permission: 'all' } });
  expect([first.backend, second.backend, two.starts]).toEqual(['one', 'two', 1]);
  const again = await fleet.restart(second.id, {
    fresh: false,
    callerAgent: undefined,
    callerEnv: { ...env(), SIGNALBOX_TERMINAL: 'one' },
  });
  expect([again.backend, again.epoch]).toEqual(['two', 2]);
  expect(seen(two)).toEqual([`${second.id}/2`]);
  const child = await launch('child', { callerAgent: second.id, parent: second.id });
  expect(child.backend).toBe('two');
  expect(seen(one)).toEqual([`${first.id}/1`]);
  await fleet.stop(child.id, 'person');
  await fleet.remove(second.id, { isByUser: true });
  expect([seen(one), seen(two)]).toEqual([[`${first.id}/1`], []]);
  expect(one.closed).toEqual([]);
});

test('B1: a launch that names no backend of ours is refused with the choices, and leaves nothing', async () => {
  const { launch, ledger } = await openTwo();
  const choices = { code: 'invalid-input', next: 'Give one of one, two.' };
  await expect(launch('worker', { terminal: 'three' })).rejects.toMatchObject(choices);
  const callerEnv = { ...env(), SIGNALBOX_TERMINAL: 'three' };
  await expect(launch('worker', { callerEnv })).rejects.toMatchObject(choices);
  expect(
    await ledger.read(async (tx) => (await tx.agents.listByName('worker'))[0]),
  ).toBeUndefined();
});

test('B10: a backend that cannot be started costs a launch there, and no agent elsewhere', async () => {
  const { fleet, two, launch, ledger } = await openTwo();
  two.isDown = true;
  await expect(launch('second', { terminal: 'two' })).rejects.toThrow('cannot be started');
  expect(
    await ledger.read(async (tx) => (await tx.agents.listByName('second'))[0]),
  ).toBeUndefined();
  const first = await launch('first');
  expect((await fleet.stop(first.id, 'person')).outcome).toBe('stopped');
  two.isDown = false;
  expect((await launch('second', { terminal: 'two' })).backend).toBe('two');
});

test('B4, B10: at the start one backend is down: the other’s agents are reconciled, nothing of it is touched, and it is reconciled when it is back', async () => {
  const before = await openTwo();
  const [lives, dies] = [await before.launch('lives'), await before.launch('dies')];
  const terminal = 'two';
  const hidden = await before.launch('hidden', { terminal });
  const ended = await before.launch('ended', { terminal });
  await before.fleet.close();
  const { one, two, ledger } = before;
  one.die(dies.id, 3);
  two.die(ended.id, 4);
  two.isDown = true;
  const { fleet, launch, warnings, attached } = await openTwo({ one, two, ledger });
  expect(await status(ledger, dies.id)).toBe('exited');
  expect(fleet.live(lives.id)).toBeDefined();
  expect(attached.map(({ agent }) => agent)).toEqual([lives.id]);
  expect((await launch('more')).backend).toBe('one');
  // Asked again and again, told once.
  const warned = () => warnings.filter((text) => text.includes('"backend":"two"'));
  await until(async () => warned().length > 0);
  const asked = two.starts;
  // With the second try from here on the first has come to its end, and would have been told.
  await until(async () => {
    fleet.onChanged('two');
    return two.starts > asked + 1;
  });
  expect(warned()).toHaveLength(1);
  expect(await readOpen(ledger)).toContain(`${ended.id}/1`);
  expect([two.closed, seen(two).length]).toEqual([[], 2]);
  expect(readStartTime(pidOf(two, hidden.id))).toBeDefined();
  const lost = { code: 'backend-lost', message: expect.stringContaining('lives in two') };
  await expect(fleet.attachCommand(hidden.id, {})).rejects.toMatchObject(lost);
  await expect(fleet.output(hidden.id, 'screen', signal())).rejects.toMatchObject(lost);

  two.isDown = false;
  fleet.onChanged('two');
  await until(async () => (await status(ledger, ended.id)) === 'exited');
  await until(async () => fleet.live(hidden.id) !== undefined);
  // Its terminal is closed after its end is written down.
  await until(async () => two.closed.length > 0);
  expect(two.closed).toEqual([`${ended.id}/1`]);
  expect((await fleet.attachCommand(hidden.id, {})).argv).toEqual(['true']);
});

test('B10: a start that never ends keeps neither the other backend’s agents nor the end of the fleet waiting', async () => {
  const before = await openTwo();
  const [first] = [
    await before.launch('first'),
    await before.launch('second', { terminal: 'two' }),
  ];
  await before.fleet.close();
  const { one, two, ledger } = before;
  two.gates.start = () => new Promise(() => undefined);
  const { fleet } = await openTwo({ one, two, ledger });
  expect(fleet.live(first.id)).toBeDefined();
  const third = fleet.launch(wanted('third', { terminal: 'two' }));
  const refused = expect(third).rejects.toMatchObject({ code: 'backend-lost' });
  await until(async () => two.starts === 2);
  await fleet.close();
  await refused;
  expect(seen(two)).toHaveLength(1);
});

test('B4: terminals of no life and launches that were cut short are settled by their own backend', async () => {
  const { fleet, one, two, ledger, launch } = await openTwo();
  const agent = await launch('first', { terminal: 'two' });
  const [sight] = [...two.sights.values()];
  if (!sight) throw new Error('it was launched');
  // The other one is seen to hold a terminal with the marks of a life that is not its own.
  one.sights.set('%9', sight);
  const unborn = { ...agent, id: 'agt_unborn', name: 'unborn', epoch: 0, backend: 'two' };
  await ledger.write((tx) => tx.agents.insert(unborn));
  await lookAt(fleet, one, 'one');
  expect(await ledger.read(async (tx) => (await tx.agents.listByName('unborn'))[0])).toBeDefined();
  expect(fleet.live(agent.id)).toBeDefined();
  expect(readStartTime(sight.terminal.pid)).toBeDefined();
  await lookAt(fleet, two, 'two');
  expect(
    await ledger.read(async (tx) => (await tx.agents.listByName('unborn'))[0]),
  ).toBeUndefined();
});

test('B2: health names the default backend and each one that is in use', async () => {
  const { fleet, two, launch } = await openTwo();
  const one = { name: 'one', isDefault: true, state: 'ready' };
  expect(fleet.health()).toMatchObject({ backend: { name: 'one' }, backends: [one] });
  await launch('second', { terminal: 'two' });
  two.isDown = true;
  const down = { name: 'two', isDefault: false, state: 'down' };
  expect(fleet.health().backends).toEqual([one, down]);
});

test('B14: agents of a backend that is not in this version are left alone, and health says so', async () => {
  const before = await openTwo();
  const agent = await before.launch('second', { terminal: 'two' });
  const pid = pidOf(before.two, agent.id);
  await before.fleet.close();
  const { one, ledger } = before;
  const { fleet } = await openWorld({ backends: [one], ledger });
  expect(fleet.health().backends[1]).toMatchObject({ name: 'two', state: 'down' });
  expect(await readOpen(ledger)).toEqual([`${agent.id}/1`]);
  expect(readStartTime(pid)).toBeDefined();
  // A person may still end it: its processes are known without the backend.
  expect((await fleet.stop(agent.id, 'person')).outcome).toBe('stopped');
  expect(readStartTime(pid)).toBeUndefined();
});

test('what a backend can do is asked for at each use: an agent may have been attached before it was known', async () => {
  const { fleet, one, launch, attached } = await openTwo();
  const agent = await launch('worker');
  expect(attached[0]?.pen).toEqual({ code: 'backend-blind', backend: 'one', lacks: 'typing' });
  one.capabilities = { ...one.capabilities, humanTyping: true };
  expect(attached[0]?.pen).toMatchObject({ code: 'backend-mute', backend: 'one' });
  one.capabilities = { ...one.capabilities, typing: 'text' };
  expect(attached[0]?.pen).toMatchObject({ write: expect.any(Function) });
  const none = { code: 'wrong-state', next: expect.stringContaining('signalbox output worker') };
  await expect(fleet.follow(agent.id)).rejects.toMatchObject(none);
  one.capabilities = { ...one.capabilities, rawOutput: true };
  expect(await fleet.follow(agent.id)).toBeTypeOf('function');
});

async function openTwo(more: { one?: FakeBackend; two?: FakeBackend; ledger?: MemoryLedger } = {}) {
  const { one = new FakeBackend('one'), two = new FakeBackend('two') } = more;
  const { ledger = new MemoryLedger() } = more;
  const attached: Recipient[] = [];
  const delivery = { ...idleDelivery, attach: (one: Recipient) => void attached.push(one) };
  const world = await openWorld({ backends: [one, two], ledger, delivery });
  return { ...world, one, two, attached };
}

/** One reconciliation from its beginning to its end. */
async function lookAt(
  fleet: Awaited<ReturnType<typeof openTwo>>['fleet'],
  backend: FakeBackend,
  name: string,
): Promise<void> {
  let looks = 0;
  backend.gates.list = async () => void looks++;
  fleet.onChanged(name);
  await until(async () => looks > 0);
  // The next one begins only when this one is over.
  fleet.onChanged(name);
  await until(async () => looks > 1);
}

function seen(backend: FakeBackend): readonly string[] {
  return [...backend.sights.values()].map(({ terminal }) => `${terminal.agent}/${terminal.epoch}`);
}

async function readOpen(ledger: MemoryLedger): Promise<readonly string[]> {
  const open = await ledger.read((tx) => tx.epochs.listOpen());
  return open.map(({ agent, epoch }) => `${agent}/${epoch}`);
}

function signal(): AbortSignal {
  return new AbortController().signal;
}
