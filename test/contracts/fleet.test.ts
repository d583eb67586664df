import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { listTree, readEnvironment } from '../../src/shared/process-tree.ts';
import { hasNoTerminal, readStartTime, systemHost } from '../../src/shared/processes.ts';
import { idleDelivery } from '../fakes/idle-delivery.ts';
import { env, openWorld, pidOf, status, until, wanted } from './fleet-world.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

test('B4: an agent that is launched while another one is mourned is not taken for a failed launch', async () => {
  const { fleet, backend, ledger, launch, told } = await openWorld();
  const first = await launch('first');
  const list = gate();
  const launching = gate();
  backend.die(first.id, 3);
  backend.gates.list = list.pass;
  backend.gates.launch = launching.pass;
  fleet.onChanged('fake');
  await list.reached;
  const second = launch('second');
  await launching.reached;
  // Reality is read without the second, the ledger with it; then its launch is over before its turn
  // comes.
  backend.gates.read = async () => {
    launching.open();
    await second;
  };
  list.open();
  const { id } = await second;
  await until(async () => (await status(ledger, first.id)) === 'exited');
  backend.gates.list = async () => undefined;
  fleet.onChanged('fake');
  await systemClock.sleep(100);
  const found = await ledger.read((tx) => tx.agents.find(id));
  expect(found?.status).not.toBe('exited');
  // Nor for a moment for one whose terminal is gone.
  expect(told.filter((text) => text.includes('terminal is gone'))).toEqual([]);
  expect([...backend.sights.values()].map(({ terminal }) => terminal.agent)).toEqual([id]);
});

test('an agent whose launch was cut short before its first life is gone, and its sender is told', async () => {
  const { fleet, ledger } = await openWorld();
  const now = systemClock.now();
  const unborn: Agent = {
    ...{ id: 'agt_unborn', name: 'unborn', session: 'default', provider: 'generic' },
    ...{ backend: 'fake', epoch: 0, status: 'starting', source: 'process', since: now },
    ...{ notify: true, cwd: '/', createdAt: now },
  };
  await ledger.write((tx) => tx.agents.insert(unborn));
  fleet.onChanged('fake');
  await until(
    async () =>
      (await ledger.read(async (tx) => (await tx.agents.listByName('unborn'))[0])) === undefined,
  );
});

test('a life that was noted and never started is a failed launch, and nothing of it runs on', async () => {
  const { fleet, backend, ledger, launch } = await openWorld();
  const agent = await launch('worker');
  const pid = pidOf(backend, agent.id);
  backend.sights.clear();
  // As if we had died before the terminal was noted.
  const epoch = await ledger.read((tx) => tx.epochs.find(agent.id, 1));
  const { terminal: _, ...noted } = epoch ?? {};
  await ledger.write(async (tx) => {
    await tx.epochs.end(agent.id, 1, { at: 1, cause: 'test' });
    await tx.agents.setEpoch(agent.id, 2);
    await tx.epochs.insert({ ...(noted as typeof epoch & object), epoch: 2, tokenHash: 'x' });
  });
  fleet.onChanged('fake');
  await until(async () => (await status(ledger, agent.id)) === 'exited');
  const ended = await ledger.read((tx) => tx.epochs.find(agent.id, 2));
  expect(ended?.endCause).toBe('launch-failed');
  expect(readStartTime(pid)).toBeDefined();
  // What an ended life left behind goes with the next stop.
  expect((await fleet.stop(agent.id, 'person')).outcome).toBe('already');
});

test('rule 37: a restart is refused while the backend cannot be asked, and the old life goes on', async () => {
  const { fleet, backend, launch } = await openWorld();
  const agent = await launch('worker');
  const pid = pidOf(backend, agent.id);
  backend.isDown = true;
  await expect(
    fleet.restart(agent.id, { fresh: false, callerAgent: undefined, callerEnv: env() }),
  ).rejects.toThrow();
  expect(readStartTime(pid)).toBeDefined();
});

test('a backend is told how texts call the agent, also one that has got a namesake since', async () => {
  const { fleet, backend, launch } = await openWorld();
  const called: unknown[] = [];
  const start = backend.launch.bind(backend);
  backend.launch = (wanted) => {
    called.push([wanted.name, wanted.called]);
    return start(wanted);
  };
  const { id } = await launch('lead', { session: 'shop' });
  await launch('lead', { session: 'blog' });
  const how = { fresh: true, callerEnv: env(), callerAgent: undefined, callerUmask: undefined };
  await fleet.restart(id, how);
  expect(called).toEqual([
    ['lead', 'lead'],
    ['lead', 'blog/lead'],
    ['lead', 'shop/lead'],
  ]);
});

test('rule 38: hooks of an earlier epoch, or without the token, change nothing', async () => {
  const { fleet, backend, launch } = await openWorld();
  const agent = await launch('worker');
  const token = readEnvironment(pidOf(backend, agent.id))?.['SIGNALBOX_TOKEN'] ?? '';
  expect(token).toMatch(/^tok_/);
  await fleet.restart(agent.id, { fresh: false, callerAgent: undefined, callerEnv: env() });
  const over = { outcome: 'ignored', isOver: true };
  expect(await fleet.receiveHook(token, 'Stop', {})).toEqual(over);
  expect(await fleet.receiveHook('tok_wrong', 'Stop', {})).toEqual(over);
  expect(await fleet.receiveHook(token, 'Stop', 'no object')).toEqual({ outcome: 'ignored' });
});

test('rule 10: what an agent submits while its terminal is gone and its process lives is noted', async () => {
  const submitted: string[][] = [];
  const delivery = {
    ...idleDelivery,
    submitted: async (...words: string[]) => void submitted.push(words),
  };
  const { fleet, backend, ledger, launch } = await openWorld({ delivery });
  const agent = await launch('worker');
  const token = readEnvironment(pidOf(backend, agent.id))?.['SIGNALBOX_TOKEN'] ?? '';
  backend.sights.clear();
  fleet.onChanged('fake');
  await until(async () => (await status(ledger, agent.id)) === 'unknown');
  const prompt = '<signalbox mark_1> words';
  const receipt = await fleet.receiveHook(token, 'UserPromptSubmit', { prompt });
  expect([receipt, submitted]).toEqual([{ outcome: 'ignored' }, [[agent.id, prompt]]]);
});

describe('B4: a program whose terminal we do not see', () => {
  /** Hides the terminal, then looks twice; resolves when both looks are over. */
  async function lose({ fleet, backend, ledger }: World, agent: string): Promise<void> {
    backend.sights.clear();
    fleet.onChanged('fake');
    await until(async () => (await status(ledger, agent)) === 'unknown');
    await lookTwice({ fleet, backend });
  }

  /** The third look begins when the second is over. */
  async function lookTwice({ fleet, backend }: Pick<World, 'fleet' | 'backend'>): Promise<void> {
    let looks = 0;
    backend.gates.list = async () => void looks++;
    for (let count = 1; count <= 3; count++) {
      fleet.onChanged('fake');
      await until(async () => looks >= count);
    }
  }

  /** An agent in a real pseudoterminal, and a clock that can be moved on. */
  async function openInTerminal() {
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    const world = await openWorld({ clock });
    const program = "trap '' HUP; exec sleep 600";
    const extraArgs = ['script', '-qfec', program, '/dev/null'];
    const agent = await world.launch('worker', { extraArgs });
    const [sight] = world.backend.sights.values();
    const holder = pidOf(world.backend, agent.id);
    let pid = 0;
    await until(async () => {
      const all = listTree({ pid: holder, startedAt: readStartTime(holder) ?? '' }, []);
      pid = all.find((one) => one.pid !== holder)?.pid ?? 0;
      return pid > 0 && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'sleep';
    });
    const startedAt = readStartTime(pid) ?? '';
    const terminal = { ...sight?.terminal, pid, startedAt, hadTty: true };
    const text = JSON.stringify(terminal);
    await world.ledger.write((tx) => tx.epochs.setTerminal(agent.id, 1, text));
    return {
      ...{ ...world, agent, pid, startedAt },
      passMs: (ms: number) => (aheadMs += ms),
      closeTerminal: async () => {
        process.kill(holder, 'SIGKILL');
        await until(async () => hasNoTerminal(pid));
      },
    };
  }

  async function terminalOf({ ledger, agent }: { ledger: World['ledger']; agent: Agent }) {
    return (await ledger.read((tx) => tx.epochs.find(agent.id, 1)))?.terminal;
  }

  describe.runIf(process.platform === 'linux')('on Linux', () => {
    test('is ended after a while if its terminal was closed', async () => {
      const world = await openInTerminal();
      await world.closeTerminal();
      await lose(world, world.agent.id);
      // A CLI that was just hung up on may still be writing down what it did.
      expect(readStartTime(world.pid)).toBe(world.startedAt);
      world.passMs(8000);
      world.fleet.onChanged('fake');
      await until(async () => (await status(world.ledger, world.agent.id)) === 'exited');
      expect(readStartTime(world.pid)).toBeUndefined();
    });

    test('is left alone while it has a terminal', async () => {
      const world = await openInTerminal();
      await lose(world, world.agent.id);
      world.passMs(60_000);
      await lookTwice(world);
      expect(readStartTime(world.pid)).toBe(world.startedAt);
      expect(await status(world.ledger, world.agent.id)).toBe('unknown');
      // The time counts from the end of the terminal.
      await world.closeTerminal();
      await lookTwice(world);
      expect(readStartTime(world.pid)).toBe(world.startedAt);
    });

    test('is left alone if it was never seen in one', async () => {
      const world = await openInTerminal();
      const kept = { ...JSON.parse((await terminalOf(world)) ?? '{}'), hadTty: undefined };
      const text = JSON.stringify(kept);
      await world.ledger.write((tx) => tx.epochs.setTerminal(world.agent.id, 1, text));
      await world.closeTerminal();
      await lose(world, world.agent.id);
      world.passMs(60_000);
      await lookTwice(world);
      expect(readStartTime(world.pid)).toBe(world.startedAt);
    });
  });
});

test('B4: a daemon in another pid namespace judges no agent, and does not start', async () => {
  const { backend, ledger, launch } = await openWorld();
  const agent = await launch('worker');
  const before = await ledger.read((tx) => tx.agents.find(agent.id));
  const pid = pidOf(backend, agent.id);
  const host = { ...systemHost, identity: { ...systemHost.identity, pidSpace: 'pid:[1]' } };
  // What it sees in its own /proc: no process of that number.
  const [sight] = backend.sights.values();
  if (sight) backend.sights.set(sight.terminal.pane, { ...sight, isAlive: false });
  await expect(openWorld({ ledger, backends: [backend], host })).rejects.toMatchObject({
    code: 'backend-mismatch',
  });
  expect(readStartTime(pid)).toBeDefined();
  expect(backend.sights.size).toBe(1);
  expect(await ledger.read((tx) => tx.agents.find(agent.id))).toEqual(before);
});

test('rule 40: a child gets what its parent was launched with, and an identity of its own', async () => {
  const { fleet, backend, launch } = await openWorld();
  const parent = await launch('parent', {
    callerEnv: { ...env(), FROM: 'outside' },
    role: { permission: 'all' },
  });
  const child = await fleet.launch(
    wanted('child', {
      parent: parent.id,
      callerAgent: parent.id,
      callerEnv: { ...env(), FROM: 'the shell tool', CLAUDECODE: '1' },
    }),
  );
  const inherited = readEnvironment(pidOf(backend, child.id)) ?? {};
  expect(inherited['FROM']).toBe('outside');
  expect(inherited['SIGNALBOX_AGENT']).toBe(child.id);
  const own = readEnvironment(pidOf(backend, parent.id)) ?? {};
  expect(inherited['SIGNALBOX_TOKEN']).not.toBe(own['SIGNALBOX_TOKEN']);
});

test('the exit of an agent is told as a status, too (E3)', async () => {
  const { fleet, backend, launch, told } = await openWorld();
  const agent = await launch('worker');
  backend.die(agent.id, 3);
  fleet.onChanged('fake');
  await until(async () => told.includes('worker exited exit 3'));
});

/** A place that somebody reaches and waits at until it is opened. */
function gate() {
  let arrive = (): void => undefined;
  let open = (): void => undefined;
  const reached = new Promise<void>((done) => {
    arrive = done;
  });
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return {
    reached,
    open: () => open(),
    pass: async () => {
      arrive();
      await opened;
    },
  };
}
