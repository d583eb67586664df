import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { program, waitForEnd } from '../support/cli.ts';
import { endTmux } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { pathWithoutCurl } from './fixtures/hook-stage.ts';
import { canBeAnother, startFalseDaemon } from './fixtures/stranger.ts';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** As Debian has them: `games` (5, alone in 60) and `nobody` (65534, with others in 65534). */
const rows = readFileSync('/etc/passwd', 'utf8').split('\n').map(readUser);
const isAlone = ({ gid }: User): boolean =>
  rows.filter((one) => one.gid === gid).length === 1 &&
  new RegExp(`^[^:]*:[^:]*:${gid}:$`, 'm').test(readFileSync('/etc/group', 'utf8'));
const odd = rows.find((one) => one.uid !== one.gid && isAlone(one));
const even = rows.find((one) => one.uid > 0 && one.uid === one.gid && isAlone(one));
const shared = rows.find((one) => one.uid > 0 && one.uid === one.gid && !isAlone(one));
const canList = spawnSync('setfacl', ['--version']).status === 0;

type State = readonly [string, boolean, (above: string, state: string) => void];

const common: readonly State[] = [
  ['closed', true, () => undefined],
  ['of the system, open to its group', true, (above) => give(above, 0, 0, 0o775)],
  ['open to everybody', false, (above) => chmodSync(above, 0o777)],
  ['sticky, open to everybody', true, (above) => chmodSync(above, 0o1777)],
  ['with a state folder that has the setgid bit', true, (_, state) => chmodSync(state, 0o2700)],
  ['with a state folder that its group may enter', false, (_, state) => chmodSync(state, 0o710)],
];
const lists: readonly State[] = canList
  ? [
      [
        'open to its group, with an access list',
        false,
        (above) => {
          expect(spawnSync('setfacl', ['-m', 'u:7:rwx', above]).status).toBe(0);
        },
      ],
    ]
  : [];

test.runIf(canBeAnother && odd && even && shared).each(
  sweepList([
    ['a private group of another number', odd, true],
    ['a private group of the same number', even, true],
    ['a group of the same number with other members', shared, false],
  ] as const),
)(
  'the hook by curl and the one by Node believe the same folders: %s (left out for those who are not root)',
  async (_, user, isOwn) => {
    if (!user) throw new Error('no such user');
    const above = realpathSync(tempHome());
    const home = join(above, 'state');
    mkdirSync(home, { mode: 0o700 });
    for (const folder of [above, home]) chownSync(folder, user.uid, user.gid);
    if (isOwn) chmodSync(above, 0o775);
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      SIGNALBOX_HOME: home,
      SIGNALBOX_TEST_RUN: process.env['SIGNALBOX_TEST_RUN'] ?? '',
    };
    const run = (command: string, args: readonly string[], more: object = {}) => {
      const stdio = ['pipe', 'pipe', 'pipe'] as const;
      const child = spawn(command, args, { ...user, env: { ...env, ...more }, stdio: [...stdio] });
      child.stdin.on('error', () => undefined);
      child.stdin.end('{}');
      return waitForEnd(child);
    };
    expect(await run(process.execPath, [program, 'up'])).toMatchObject({ code: 0 });
    onTestFinished(() => endTmux(home));
    expect(await run(process.execPath, [program, 'down'])).toMatchObject({ code: 0 });
    const socket = join(home, 'false');
    const daemon = await startFalseDaemon(socket, undefined, user);
    chmodSync(socket, 0o600);
    const withoutCurl = pathWithoutCurl(tempHome());
    chmodSync(join(withoutCurl, '..'), 0o755);
    const isHeard = async (PATH: string): Promise<boolean> => {
      const before = daemon.heard().length;
      const agent = { SIGNALBOX_SOCKET: socket, SIGNALBOX_TOKEN: 'tok', PATH };
      const ended = await run(join(home, 'hooks', 'post'), ['PreToolUse'], agent);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      return daemon.heard().length > before;
    };
    const open: State = ['open to its group', isOwn, (at) => chmodSync(at, 0o775)];
    for (const [what, isBelieved, make] of [open, ...common, ...lists]) {
      give(above, user.uid, user.gid, 0o755);
      chmodSync(home, 0o700);
      make(above, home);
      const heard = { curl: await isHeard(env.PATH), node: await isHeard(withoutCurl) };
      expect([what, heard]).toEqual([what, { curl: isBelieved, node: isBelieved }]);
      if (canList) spawnSync('setfacl', ['-b', above]);
    }
    give(above, user.uid, user.gid, 0o700);
  },
);

function give(path: string, uid: number, gid: number, mode: number): void {
  chownSync(path, uid, gid);
  chmodSync(path, mode);
}

function readUser(line: string): User {
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
