import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readStartTime } from '../../src/shared/processes.ts';
import { tempHome } from '../support/home.ts';
import { hasTmux, openTmuxWorld, TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

/** tmux itself, or what connects us to it, fails. */
const check = test.skipIf(!hasTmux);

const cat = ['sh', '-c', 'echo ready; exec cat'];
const flood = ['sh', '-c', 'exec yes'];

test('tmux that is missing is said with what to do', async () => {
  const world = new TmuxWorld({ env: { PATH: tempHome() } });
  await expect(world.backend.start()).rejects.toMatchObject({
    code: 'backend-missing',
    next: expect.stringContaining('Install'),
  });
  expect(world.backend.state()).toMatchObject({ state: 'down' });
  await expect(world.backend.list()).rejects.toMatchObject({ code: 'backend-missing' });
});

test('tmux that is too old is said with its version', async () => {
  const folder = tempHome();
  writeFileSync(join(folder, 'tmux'), '#!/bin/sh\necho tmux 3.2a\n');
  chmodSync(join(folder, 'tmux'), 0o755);
  const world = new TmuxWorld({ env: { PATH: `${folder}:/usr/bin:/bin` } });
  await expect(world.backend.start()).rejects.toMatchObject({
    code: 'backend-too-old',
    message: expect.stringContaining('3.2a'),
  });
});

check(
  'a server killed under load: everything asked is answered, a new server is found, nothing old is taken for new',
  async () => {
    const world = await openTmuxWorld();
    const floods = await Promise.all([1, 2, 3].map(() => world.launch(flood)));
    const [terminal] = floods;
    if (!terminal) throw new Error('none');
    await waitUntil('the flood', () => (world.heard.bytes.get(terminal.agent) ?? 0) > 1_000_000);
    const asked = Array.from({ length: 50 }, () =>
      world.backend.look(terminal).then(
        (look) => look !== 'gone',
        (error) => error.code,
      ),
    );
    process.kill(world.serverPid(), 'SIGKILL');
    const written = await world.backend
      .write(terminal, Buffer.from('x'))
      .catch((error) => error.code);
    expect(['unknown', 'unsent', 'backend-lost']).toContain(written);
    for (const outcome of await Promise.all(asked))
      expect([true, 'backend-lost']).toContain(outcome);
    await waitUntil(
      'a new connection',
      () => world.heard.states.filter(({ state }) => state === 'ready').length === 2,
    );
    expect(world.heard.states.map(({ state }) => state)).toContain('connecting');
    expect(await world.backend.list()).toEqual([]);
    const next = await world.launchUntil('ready', cat);
    expect(next.server).not.toBe(terminal.server);
    // The new server counts its panes from the start: the old identity must not fit one of them.
    for (const old of floods) expect(await world.backend.look(old)).toBe('gone');
    for (const { pid, startedAt } of floods)
      await waitUntil('the hangup', () => readStartTime(pid) !== startedAt);
  },
);

check('a control client that is killed is replaced, and the agents notice nothing', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', cat);
  for (let round = 1; round <= 3; round++) {
    process.kill(world.clientPid(), 'SIGKILL');
    await waitUntil(
      'a new connection',
      () => world.heard.states.filter(({ state }) => state === 'ready').length === round + 1,
    );
    expect(await world.sight(terminal)).toMatchObject({
      terminal,
      isAlive: true,
      isHomeless: false,
    });
    expect(await world.backend.write(terminal, Buffer.from(`round ${round}\r`))).toBe('written');
    await world.untilScreen(terminal, `round ${round}`);
  }
  expect(world.tmux('list-clients', '-F', 'x')).toBe('x');
});

check('a name in the server that reads as a notification ends no connection', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', cat);
  for (const word of ['%exit', '%begin 1 1 1', '%output %1 x', '%pause %1']) {
    world.tmux('set-buffer', '-b', word, 'x');
    world.tmux('set-environment', '-g', `${word} a`, 'b');
  }
  process.kill(world.clientPid(), 'SIGKILL');
  await waitUntil(
    'a new connection',
    () => world.heard.states.filter(({ state }) => state === 'ready').length === 2,
  );
  expect(await world.backend.write(terminal, Buffer.from('still here\r'))).toBe('written');
  await world.untilScreen(terminal, 'still here');
});

check('a control client that is stopped for 10 s harms no agent', { tags: ['full'] }, async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', cat);
  const busy = await world.launch(flood);
  const client = world.clientPid();
  const startedAt = readStartTime(client);
  process.kill(client, 'SIGSTOP');
  onTestFinished(() => {
    if (readStartTime(client) === startedAt) process.kill(client, 'SIGKILL');
  });
  const before = world.heard.bytes.get(busy.agent) ?? 0;
  await delay(10_000);
  // The server owns the pipes: answers and output go on without that process.
  expect(await world.backend.write(terminal, Buffer.from('still\r'))).toBe('written');
  await world.untilScreen(terminal, 'still');
  expect(world.heard.bytes.get(busy.agent) ?? 0).toBeGreaterThan(before);
  await world.backend.close();
  expect(readStartTime(client)).not.toBe(startedAt);
});

check(
  'a server that hangs is not taken for gone: no second one is started, and it is used again when it wakes',
  { tags: ['full'] },
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launchUntil('ready', cat);
    const server = world.serverPid();
    process.kill(server, 'SIGSTOP');
    try {
      const asked = world.backend.look(terminal);
      await expect(asked).rejects.toMatchObject({ code: 'backend-lost' });
      expect(world.backend.state().state).not.toBe('ready');
      await expect(world.backend.list()).rejects.toMatchObject({ code: 'backend-lost' });
    } finally {
      process.kill(server, 'SIGCONT');
    }
    await waitUntil('the same server', () => world.backend.state().state === 'ready');
    expect(world.serverPid()).toBe(server);
    expect(await world.sight(terminal)).toMatchObject({ terminal, isAlive: true });
  },
);

check('a socket file that was left behind does not keep a server from starting', async () => {
  const world = await openTmuxWorld();
  const first = world.serverPid();
  // An empty server would end with its backend.
  await world.launchUntil('ready', cat);
  await world.backend.close();
  const startedAt = readStartTime(first);
  process.kill(first, 'SIGKILL');
  await waitUntil('its end', () => readStartTime(first) !== startedAt);
  expect(existsSync(world.socket)).toBe(true);
  const next = world.open();
  onTestFinished(() => next.close());
  await next.start();
  expect(await next.list()).toEqual([]);
});

check(
  'a socket file that was cleaned away is made again by the server that lives',
  { tags: ['full'] },
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launchUntil('ready', cat);
    const server = world.serverPid();
    await world.backend.close();
    rmSync(world.socket);
    const next = world.open();
    onTestFinished(() => next.close());
    await next.start();
    expect(world.serverPid()).toBe(server);
    expect(await next.list()).toMatchObject([{ terminal, isAlive: true }]);
  },
);

check('a hub that a person kills is made again, and every agent is linked into it', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', cat);
  const hub = world.tmux('list-sessions', '-f', '#{@sbx-hub}', '-F', '#{session_id}');
  world.tmux('kill-session', '-t', hub);
  await waitUntil(
    'a new connection',
    () => world.heard.states.filter(({ state }) => state === 'ready').length === 2,
  );
  expect(await world.sight(terminal)).toMatchObject({ terminal, isAlive: true, isHomeless: false });
  const before = world.heard.bytes.get(terminal.agent) ?? 0;
  await world.backend.write(terminal, Buffer.from('again\r'));
  await waitUntil('its output', () => (world.heard.bytes.get(terminal.agent) ?? 0) > before);
});

check(
  'a state folder whose path is too long for a socket works, and the socket lies in it',
  async () => {
    const stateFolder = join(tempHome(), 'a-rather-long-name-'.repeat(8), 'state');
    mkdirSync(stateFolder, { recursive: true });
    const world = await openTmuxWorld({
      stateFolder,
      env: { ...process.env, XDG_RUNTIME_DIR: tempHome() },
    });
    const terminal = await world.launch(cat);
    expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
    expect(existsSync(join(realpathSync(stateFolder), 'tmux.sock'))).toBe(true);
  },
);

check('two state folders have a server each and never meet', { tags: ['full'] }, async () => {
  const [one, other] = await Promise.all([openTmuxWorld(), openTmuxWorld()]);
  const terminal = await one.launchUntil('ready', cat, { name: 'same' });
  expect(await other.backend.list()).toEqual([]);
  expect(await other.backend.look(terminal)).toBe('gone');
  expect(one.serverPid()).not.toBe(other.serverPid());
});

check(
  'the hub is the session made for it, whichever one tmux takes for ours: on a busy machine 3.3a answers before it attaches',
  async () => {
    const world = await openTmuxWorld();
    const first = await world.launchUntil('ready', cat);
    const folder = tempHome();
    const real = realpathSync(tmuxPath());
    // Leads the control client into the session that was used last, as tmux does with a client that
    // it has not attached yet.
    writeFileSync(
      join(folder, 'tmux'),
      `#!/bin/sh\ncase "$*" in *' -C '*) exec ${real} -u -S ${world.socket} -C attach-session -t ${first.pane};; esac\nexec ${real} "$@"\n`,
    );
    chmodSync(join(folder, 'tmux'), 0o755);
    await world.backend.close();
    const { stateFolder } = world.options;
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    const astray = await openTmuxWorld({ stateFolder, env });
    const next = await astray.launch(cat);
    const panes = ['list-panes', '-s', '-F', '#{pane_id}', '-t', '=hub-ldg_test:'];
    expect(world.tmux(...panes).split('\n')).toContain(next.pane);
    expect(await astray.sight(next)).toMatchObject({ isAlive: true, isHomeless: false });
  },
);

function tmuxPath(): string {
  return execFileSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).trim();
}
