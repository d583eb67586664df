import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { add } from '../../src/fleet/add.ts';
import { beginRun } from '../../src/fleet/begin-run.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { readStartTime, systemHost } from '../../src/shared/processes.ts';
import type { Terminal, WantedTerminal } from '../../src/terminals/terminal.ts';
import { FakeBackend } from '../fakes/backend.ts';
import { tempHome } from '../support/home.ts';
import { type CeilingWorld, openCeilingWorld } from './ceiling-world.ts';
import { env, openWorld, wanted } from './fleet-world.ts';

/** Which environment and which umask a child gets (rule 40). */

const isLinux = process.platform === 'linux';
const evil = { PATH: '/evil', FROM: 'the shell tool' };

test.runIf(isLinux)(
  'rule 40: what a one-shot command of the user launches gets the environment and the umask of its wrapper',
  async () => {
    const world = await openCeilingWorld();
    const lead = await world.addAgent('lead', {});
    for (const parent of [undefined, lead.id]) {
      const { run, end } = await beginUsersRun(world, { FROM: 'the user' }, '0027', parent);
      const { env, umask } = await launch(world, run.id);
      expect([env['FROM'], env['PATH'], umask]).toEqual(['the user', world.userEnv.PATH, 0o027]);
      // Once the wrapper is dead, its number may be of anybody.
      await end();
      const later = await launch(world, run.id);
      expect([later.env['FROM'], later.env['PATH']]).toEqual([undefined, world.userEnv.PATH]);
    }
  },
);

test('rule 40: where the wrapper cannot be read, the user’s command says it itself', async () => {
  const world = await openCeilingWorld();
  const { identity } = systemHost;
  const host = { ...systemHost, identity: { ...identity, pidSpace: 'another' } };
  const run = await beginRun(...[world.ledger, { clock: systemClock, host }], {
    title: 'nightly',
    session: 'default',
    parent: undefined,
    cwd: world.own,
  });
  const asked = { env: { ...world.userEnv, FROM: 'the user' }, umask: '0027' };
  const { env, umask } = await launch(world, run.id, asked);
  expect([env['FROM'], umask]).toEqual(['the user', 0o027]);
});

test.runIf(isLinux)(
  'rule 40: what an agent’s one-shot command launches gets the agent’s environment and umask, not the wrapper’s',
  async () => {
    const world = await openCeilingWorld();
    const agent = await world.addAgent('agent', { permission: 'ask' }, {}, { FROM: 'its launch' });
    await world.ledger.write(async (tx) => {
      const epoch = await tx.epochs.find(agent.id, 1);
      if (epoch) await tx.epochs.insert({ ...epoch, epoch: 2, umask: 0o027 });
      await tx.agents.setEpoch(agent.id, 2);
    });
    for (const way of ['run', 'add'] as const) {
      const below = await world.addBelow(way, agent, world.own);
      const { env, umask } = await launch(world, below.id, { env: evil, umask: '0000' });
      expect([env['FROM'], umask]).toEqual(['its launch', 0o027]);
    }
  },
);

/** As where there is no /proc, or the CLI hides its environment (Codex 0.166.0). */
class HidingBackend extends FakeBackend {
  readonly asked = new Map<string, WantedTerminal>();

  override async launch(asked: WantedTerminal): Promise<Terminal> {
    this.asked.set(asked.agent, asked);
    return super.launch({ ...asked, env: { PATH: asked.env['PATH'] ?? '' } });
  }
}

test('rule 40: of a launcher whose process shows nothing, what it was launched with is remembered; the agent above it does not count', async () => {
  const backend = new HidingBackend();
  const { fleet, launch } = await openWorld({ backends: [backend] });
  onTestFinished(() => {
    for (const { terminal } of backend.sights.values()) process.kill(terminal.pid, 'SIGKILL');
  });
  const role = { permission: 'all' } as const;
  const above = await launch('above', { callerEnv: { ...env(), FROM: 'above' }, role });
  const lead = await launch('lead', {
    ...{ callerEnv: { ...env(), FROM: 'its launch' }, callerUmask: 0o027, role },
    parent: above.id,
  });
  const asked = { parent: lead.id, callerAgent: lead.id, callerEnv: { ...env(), ...evil } };
  const child = await fleet.launch(wanted('child', asked));
  expect(backend.asked.get(child.id)).toMatchObject({ env: { FROM: 'its launch' }, umask: 0o027 });
  expect(fleet.live(child.id)?.notes).toEqual([]);
  // Also when it has ended since.
  await fleet.stop(lead.id, 'person');
  const late = await fleet.launch(wanted('late', asked));
  expect(backend.asked.get(late.id)).toMatchObject({ env: { FROM: 'its launch' }, umask: 0o027 });
});

test('where the daemon’s own environment had to be used, the answer says so', async () => {
  const { fleet, ledger, launch } = await openWorld({ ownEnv: env() });
  const alone = { name: 'script', session: 'default', notify: true, cwd: '/' };
  const role = { permission: 'all' } as const;
  const { id } = await add(ledger, systemClock, { ...alone, role });
  const asked = { parent: id, callerAgent: id, callerEnv: evil };
  const child = await launch('child', asked);
  expect(fleet.live(child.id)?.notes).toEqual([
    expect.stringMatching(/environment of the daemon.*launch it yourself/),
  ]);
});

test('a child that names no mode gets its launcher’s, and the answer says so', async () => {
  const bin = tempHome('signalbox-bin-');
  const script = 'case "$1" in --version) echo "2.1.325 (Claude Code)";; *) exec sleep 600;; esac';
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const { fleet, launch } = await openWorld();
  const callerEnv = { PATH: `${bin}:${process.env['PATH']}`, HOME: bin };
  const lead = await launch('lead', { callerEnv, role: { permission: 'edit' } });
  const child = { provider: 'claude-code', extraArgs: [], parent: lead.id, callerAgent: lead.id };
  const silent = await launch('silent', child);
  expect(silent.role).toEqual({ permission: 'edit' });
  expect(fleet.live(silent.id)?.notes).toEqual([
    expect.stringMatching(/given the permission `edit`, which its launcher has/),
  ]);
  const asking = await launch('asking', { ...child, role: { permission: 'ask' } });
  expect(fleet.live(asking.id)?.notes).toEqual([]);
});

test('rules 39, 48: what a start asks of a person stands in its notes', async () => {
  const bin = tempHome('signalbox-bin-');
  writeFileSync(join(bin, 'copilot'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const { fleet, launch } = await openWorld();
  const callerEnv = { PATH: `${bin}:${process.env['PATH']}`, HOME: bin };
  const copilot = { provider: 'copilot', extraArgs: [], callerEnv };
  const plain = await launch('plain', copilot);
  expect(fleet.live(plain.id)?.notes).toEqual([]);
  const remote = await launch('remote', { ...copilot, role: { hasRemoteApprovals: true } });
  expect(fleet.live(remote.id)?.notes).toEqual([
    expect.stringMatching(/^`approvals: remote`: Copilot asks in its terminal/),
  ]);
});

/** A wrapper with that environment and umask, and its run. */
async function beginUsersRun(
  { ledger, own, userEnv }: CeilingWorld,
  more: Readonly<Record<string, string>>,
  umask: string,
  parent: string | undefined,
) {
  const words = ['-c', `umask ${umask}; echo ready; exec sleep 600`];
  const wrapper = spawn('/bin/sh', words, {
    ...{ env: { ...userEnv, ...more }, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  onTestFinished(() => void wrapper.kill('SIGKILL'));
  if (wrapper.stdout) await once(wrapper.stdout, 'data');
  const pid = wrapper.pid ?? 0;
  const identity = { ...systemHost.identity, pid, startedAt: readStartTime(pid) ?? '' };
  const surroundings = { clock: systemClock, host: { ...systemHost, identity } };
  const run = await beginRun(ledger, surroundings, {
    ...{ title: 'nightly', session: 'default', parent, cwd: own },
  });
  const end = async () => {
    wrapper.kill('SIGKILL');
    await once(wrapper, 'exit');
  };
  return { run, end };
}

async function launch(world: CeilingWorld, id: string, more: object = { env: evil }) {
  const nothing = { notify: true, extraArgs: [], extraEnv: {} };
  const asked = { provider: 'claude-code', cwd: world.own, ...nothing, ...more };
  const answer = await world.post('/agents', asked, { 'signalbox-agent': id });
  const [start] = world.take();
  if (!start) throw new Error(await answer.text());
  return start;
}
