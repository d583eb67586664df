import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readStartTime } from '../../src/shared/processes.ts';
import { tempHome } from '../support/home.ts';
import { standInTmux } from '../support/stand-in-tmux.ts';
import { hasTmux, openTmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';
import { boxAt } from './fixtures/box.ts';
import { openStation } from './fixtures/station.ts';

/** Which server there is, who starts it, and what is left when we end. */
const check = test.skipIf(!hasTmux);

const cat = ['sh', '-c', 'echo ready; exec cat'];

/** A home whose tmux.conf leaves a trace when it is read. */
function homeWithTrace(): { readonly home: string; readonly isRead: () => boolean } {
  const home = tempHome();
  const trace = join(home, 'was-read');
  writeFileSync(
    join(home, '.tmux.conf'),
    `run-shell "touch ${trace}"\nset -g destroy-unattached on\n`,
  );
  return { home, isRead: () => existsSync(trace) };
}

check('attaching where the server has gone starts none, and reads nobody’s tmux.conf', async () => {
  const { home, isRead } = homeWithTrace();
  const env = { ...process.env, HOME: home };
  const world = await openTmuxWorld({ env });
  const terminal = await world.launchUntil('ready', cat);
  const outside = world.backend.attachCommand(terminal, {});
  const inside = world.backend.attachCommand(terminal, { TMUX: '/tmp/elsewhere,1,0' });
  const pid = world.serverPid();
  const startedAt = readStartTime(pid);
  await world.backend.close();
  process.kill(pid, 'SIGKILL');
  await waitUntil('its end', () => readStartTime(pid) !== startedAt);
  for (const attach of [outside, inside]) {
    if (attach === 'gone') throw new Error('gone');
    const [program = '', ...args] = attach.argv;
    const ran = spawnSync(program, args, { env, encoding: 'utf8', timeout: 60_000 });
    expect(ran.status).not.toBe(0);
    expect(spawnSync('tmux', ['-N', '-S', world.socket, 'list-sessions']).status).not.toBe(0);
  }
  expect(isRead()).toBe(false);
});

check(
  'a control client that comes when the server has just gone starts none of its own',
  async () => {
    const { home, isRead } = homeWithTrace();
    const once = join(home, 'once');
    // The server is killed in the moment between the question for the hub and the attach.
    const { path } = standInTmux(`case "$*" in *' -C '*)
    if [ ! -e ${once} ]; then touch ${once}; "$real" -N -S "$(dirname ${once})/state/tmux.sock" kill-server; fi;;
  esac`);
    const stateFolder = join(home, 'state');
    mkdirSync(stateFolder);
    const world = await openTmuxWorld({
      stateFolder,
      env: { ...process.env, HOME: home, PATH: path },
    });
    expect(existsSync(once)).toBe(true);
    expect(isRead()).toBe(false);
    const terminal = await world.launchUntil('ready', cat);
    expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
  },
);

check(
  'on a server that is there already our options are set before the first session',
  async () => {
    const home = tempHome();
    const stateFolder = join(home, 'state');
    mkdirSync(stateFolder);
    const socket = join(stateFolder, 'tmux.sock');
    const theirs = join(home, 'theirs.conf');
    writeFileSync(
      theirs,
      'set -s exit-empty off\nset -g destroy-unattached on\nset -g history-limit 3\n',
    );
    spawnSync('tmux', ['-S', socket, '-f', theirs, 'start-server']);
    const before = spawnSync('tmux', ['-N', '-S', socket, 'show-options', '-gv', 'history-limit'], {
      encoding: 'utf8',
    });
    expect(before.stdout.trim()).toBe('3');
    const world = await openTmuxWorld({ stateFolder });
    const terminal = await world.launchUntil('ready', cat);
    expect(world.tmux('show-options', '-gv', 'destroy-unattached')).toBe('off');
    const limit = ['list-panes', '-a', '-F', '#{history_limit}'];
    expect([...new Set(world.tmux(...limit).split('\n'))]).toEqual(['20000']);
    expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
  },
);

check(
  'a daemon that is killed while its terminals print leaves no control client, and the server can end',
  async () => {
    const station = await openStation();
    await station.launch('worker');
    const hub = await station.tmux('list-sessions', '-f', '#{@sbx-hub}', '-F', '#{session_id}');
    await station.tmux('new-window', '-d', '-t', `${hub}:`, 'exec yes held back by nobody');
    const clients = await station.tmux(
      'list-clients',
      '-F',
      '#{client_control_mode} #{client_pid}',
    );
    const client = Number(/^1 (\d+)$/m.exec(clients)?.[1]);
    const startedAt = readStartTime(client);
    expect(startedAt).toBeDefined();
    // Unread output lies at the server: without somebody beside it the client is never let go (tmux
    // 3.3a).
    process.kill(station.daemon().pid, 'SIGSTOP');
    // Most often the server then stops reading the flood. Sometimes it reads on (3.3a, while few
    // bytes wait in the client's own buffer) and keeps the rest for us: it is unread either way.
    let looks = 0;
    await waitUntil('the flood to stand still, or to go on', async () => {
      const size = () =>
        station.tmux(
          'display-message',
          '-p',
          '-t',
          `${hub}:{end}`,
          '#{history_bytes}#{history_size}',
        );
      const first = await size();
      await new Promise((done) => setTimeout(done, 300));
      return first === (await size()) || ++looks === 5;
    });
    await station.killDaemon();
    await waitUntil('the end of the client', () => readStartTime(client) !== startedAt);
    const server = Number(await station.tmux('display-message', '-p', '#{pid}'));
    const serverStartedAt = readStartTime(server);
    await station.tmux('kill-server');
    await waitUntil('the end of the server', () => readStartTime(server) !== serverStartedAt);
  },
);

check(
  'a daemon that cannot start leaves no client behind, also one that ignores its end',
  { tags: ['full'] },
  async () => {
    const home = tempHome();
    const pids = join(home, 'clients');
    // The version is the installed one: nothing is known to be wrong, and nobody answers.
    const { path } = standInTmux(
      `case "$*" in *' -C '*) echo $$ >> ${pids}; exec sleep 600;; esac`,
    );
    const box = boxAt(home, { PATH: path });
    const socket = join(box.home, 'tmux.sock');
    onTestFinished(() => void spawnSync('tmux', ['-N', '-S', socket, 'kill-server']));
    expect((await box.run(['up'])).code).not.toBe(0);
    const clients = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    expect(clients.length).toBeGreaterThan(0);
    await waitUntil('their end', () => clients.every((pid) => readStartTime(pid) === undefined));
  },
);
