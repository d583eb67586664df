import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import type { AttachView } from '../../src/protocol/terminals.ts';
import { tempHome } from '../support/home.ts';
import { newerClient, olderClient, realTmux, standInTmux } from '../support/stand-in-tmux.ts';
import { hasTmux, openTmuxWorld, TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';
import { boxAt } from './fixtures/box.ts';
import { openStation } from './fixtures/station.ts';

/** tmux is upgraded while agents live; tmux of 3.6 and later. */
const check = test.skipIf(!hasTmux);

const cat = ['sh', '-c', 'echo ready; exec cat'];
const withPath = (path: string) => ({ ...process.env, PATH: path });

check.each([
  ['newer, whose control client is never answered', newerClient, '3.6a'],
  ['older, which hears that the server exited', olderClient, '3.5'],
])('the installed tmux is %s: the server is talked to with its own program', async (_, script) => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', cat);
  const server = world.serverPid();
  await world.backend.close();
  const { path } = standInTmux(script);
  const { stateFolder } = world.options;
  const next = await openTmuxWorld({ stateFolder, env: withPath(path) });
  expect(await next.backend.list()).toMatchObject([{ terminal, isAlive: true }]);
  expect(await next.backend.write(terminal, Buffer.from('after the upgrade\r'))).toBe('written');
  await next.untilScreen(terminal, 'after the upgrade');
  const attach = next.backend.attachCommand(terminal, {});
  expect(attach).toMatchObject({ argv: expect.arrayContaining([`/proc/${server}/exe`]) });
});

check(
  'also when the file of its program was replaced, and none is installed that works',
  { tags: ['full'] },
  async () => {
    const folder = tempHome();
    const program = join(folder, 'bin', 'tmux');
    mkdirSync(join(folder, 'bin'));
    copyFileSync(realTmux(), program);
    const path = `${join(folder, 'bin')}:${process.env['PATH']}`;
    const world = await openTmuxWorld({ env: withPath(path) });
    const terminal = await world.launchUntil('ready', cat);
    const server = world.serverPid();
    expect(statSync(`/proc/${server}/exe`).ino).toBe(statSync(program).ino);
    await world.backend.close();
    rmSync(program);
    renameSync(join(standInTmux(newerClient).folder, 'tmux'), program);
    const { stateFolder } = world.options;
    const next = await openTmuxWorld({ stateFolder, env: withPath(path) });
    expect(await next.sight(terminal)).toMatchObject({ terminal, isAlive: true });
  },
);

check(
  'a server whose program cannot be had is named with both versions and the way out, and no second one is started',
  async () => {
    const stateFolder = join(tempHome(), 'state');
    mkdirSync(stateFolder);
    // Somebody listens who is no tmux that could be run; plain commands are answered for it, as an
    // older server answers.
    const listener = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((done) => listener.listen(join(stateFolder, 'tmux.sock'), done));
    onTestFinished(() => void listener.close());
    const { path } = standInTmux(`${newerClient}
case "$*" in
  *display-message*) echo '${process.pid} 3.5a';;
  *) exit 1;;
esac
exit 0`);
    const world = new TmuxWorld({ stateFolder, env: withPath(path) });
    await expect(world.backend.start()).rejects.toMatchObject({
      code: 'backend-mismatch',
      message: expect.stringMatching(/is 3\.5a, and the installed tmux is 3\.6a/),
      next: expect.stringMatching(/Put tmux 3\.5a back .* `kill \d+` .* `signalbox restart --all`/),
    });
    expect(world.backend.state()).toMatchObject({ state: 'down' });
    await world.backend.close();
    listener.close();
    rmSync(join(stateFolder, 'tmux.sock'), { force: true });
  },
);

check(
  'a server that nobody noted and that does not answer the installed tmux is not said to be mended by itself',
  { tags: ['full'] },
  async () => {
    const stateFolder = join(tempHome(), 'state');
    mkdirSync(stateFolder);
    const listener = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((done) => listener.listen(join(stateFolder, 'tmux.sock'), done));
    onTestFinished(() => void listener.close());
    const world = new TmuxWorld({ stateFolder, env: withPath(standInTmux(olderClient).path) });
    await expect(world.backend.start()).rejects.toMatchObject({
      code: 'backend-mismatch',
      message: expect.stringContaining('server exited unexpectedly'),
      next: expect.stringContaining('signalbox restart --all'),
    });
    await world.backend.close();
    listener.close();
    rmSync(join(stateFolder, 'tmux.sock'), { force: true });
  },
);

check(
  'doctor names both versions while agents live in the older server; agents and people reach it',
  { tags: ['full'] },
  async () => {
    const station = await openStation();
    await station.launch('worker');
    await station.run(['down']);
    const { path } = standInTmux(newerClient);
    const upgraded = boxAt(station.home, { PATH: path });
    const doctor = await upgraded.run(['doctor', '--json']);
    const { terminals } = doctor.json<DoctorReport>();
    const running = await station.tmux('display-message', '-p', '#{version}');
    expect(terminals.version).toBe('3.6a');
    expect(terminals.limits.join()).toContain(`the server that your agents run in is ${running}`);
    expect((await upgraded.run(['doctor', '--all'])).stdout).toMatch(/terminals +tmux 3\.6a/);
    await upgraded.run(['send', 'worker', 'after the upgrade']);
    await waitUntil('its way in', async () => {
      const { inbox } = await station.agent('worker');
      return inbox.queued === 0;
    });
    const server = await station.tmux('display-message', '-p', '#{pid}');
    const attach = await upgraded.run(['attach', 'worker', '--json']);
    expect(attach.json<AttachView>().argv[0]).toBe(`/proc/${server}/exe`);
  },
);

check(
  'rule 40: what tmux sets in every pane by itself (COLORTERM, from 3.6 on) reaches no agent that shall not have it',
  async () => {
    const world = await openTmuxWorld();
    // Set behind our back, as those versions do.
    world.tmux('set-environment', '-g', 'COLORTERM', 'truecolor');
    const file = join(world.folder, 'env');
    const show = ['sh', '-c', `env -0 > ${file}.new; mv ${file}.new ${file}; exec cat`];
    const names = async (env: Record<string, string>) => {
      rmSync(file, { force: true });
      await world.launch(show, { env });
      const text = await waitUntil('the environment', () => {
        try {
          return readFileSync(file, 'utf8');
        } catch {
          return undefined; // Not written yet.
        }
      });
      return text.split('\0').filter((line) => line.startsWith('COLORTERM='));
    };
    const base = { PATH: process.env['PATH'] ?? '' };
    expect(await names(base)).toEqual([]);
    expect(await names({ ...base, COLORTERM: '24bit' })).toEqual(['COLORTERM=24bit']);
  },
);
