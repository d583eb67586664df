import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasCommand } from './fixtures/has-command.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';
import { ask } from './fixtures/telling.ts';

const python = '/usr/bin/python3';
const hasService = spawnSync(python, ['-c', 'import dbusmock']).status === 0;
const canShow =
  hasTmux && hasCommand('notify-send') && hasCommand('dbus-run-session') && hasService;

/**
 * Debian's notify-send, on a bus of the test's own, to the notification service of Debian's
 * python3-dbusmock, which shows nothing and writes down each call: no service that draws runs
 * without a display.
 */
describe.skipIf(!canShow)(
  'desktop notifications (needs tmux and the packages libnotify-bin, dbus-daemon, python3-dbusmock)',
  () => {
    test('rule 48: an agent that asks is shown once, also when the daemon is killed', async () => {
      const { station, shown } = await openDesktop();
      await ask(station, 'lead');
      await waitUntil('the notification', () => shown().length > 0);
      expect(shown()).toEqual([
        [
          'signalbox: lead waits for you',
          'Do you trust the files in this folder?\\nsignalbox attach lead',
        ],
      ]);
      await station.killDaemon();
      await ask(station, 'last');
      await waitUntil('the last one', () => text(shown()).includes('last waits for you'));
      expect(text(shown()).match(/lead waits for you/g)).toHaveLength(1);
    });

    test('rule 48: several that ask together are one', { tags: ['full'] }, async () => {
      const { station, shown } = await openDesktop();
      await ask(station, 'lead');
      await waitUntil('the notification', () => shown().length > 0);
      // Within 10 s of the last one they are gathered for the next.
      const names = ['a', 'b', 'c'];
      await Promise.all(names.map((name) => ask(station, name)));
      await waitUntil('all of them', () => names.every((name) => isNamed(shown(), name)));
      expect(text(shown())).toMatch(/signalbox: \d agents wait for you/);
      expect(text(shown()).match(/lead waits for you/g)).toHaveLength(1);
    });

    test('a service that does not answer holds up nothing else, and is ended after 5 s', {
      tags: ['full'],
    }, async () => {
      const out = '$SIGNALBOX_HOME/told';
      const { station, pid } = await openDesktop({ 'on-attention': `cat >> "${out}"` });
      process.kill(pid, 'SIGSTOP');
      onTestFinished(() => void process.kill(pid, 'SIGCONT'));
      await ask(station, 'lead');
      await waitUntil('the command', () => existsSync(join(station.home, 'told')));
      await waitUntil('the word in the log', () => /could not be shown/.test(readLog(station)));
      expect(readLog(station)).toContain('"why":"still running after 5 s"');
    });

    test('off shows nothing, and a setting counts at once', { tags: ['full'] }, async () => {
      const { station, shown } = await openDesktop({ 'desktop-notifications': 'off' }, '');
      await ask(station, 'quiet');
      // The next question is told with the new setting, after the first was passed over.
      await waitUntil('the first', () => read(told(station)).includes('desktop'));
      await station.run(['config', 'set', 'desktop-notifications', 'on']);
      await ask(station, 'loud');
      await waitUntil('the notification', () => shown().length > 0);
      expect(shown().map(([title]) => title)).toEqual(['signalbox: loud waits for you']);
    });

    test('doctor says that none can be shown, and only to whoever asked for them', async () => {
      const { station } = await openDesktop({}, '');
      const env = { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '' };
      const warnings = async (choice: string) => {
        const own = { env: { ...env, SIGNALBOX_DESKTOP_NOTIFICATIONS: choice } };
        return (await station.run(['doctor', '--json'], own)).json<DoctorReport>().warnings;
      };
      expect(await warnings('auto')).toEqual([]);
      expect(await warnings('on')).toEqual([
        {
          what: 'Desktop notifications are on, and none can be shown: there is no D-Bus session (DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR).',
          next: 'Run `signalbox down` and `signalbox up` in a terminal of your desktop.',
        },
      ]);
    });
  },
);

async function openDesktop(settings: Readonly<Record<string, string>> = {}, choice = 'auto') {
  const log = join(tempHome(), 'calls');
  const service = `${python} -m dbusmock --template notification_daemon --logfile '${log}'`;
  const script = `echo "$$ $DBUS_SESSION_BUS_ADDRESS"; exec ${service}`;
  const bus = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  bus.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [, pid = '', address = ''] = await waitUntil('the bus', () => /^(\d+) (\S+)\n/.exec(said));
  onTestFinished(async () => {
    process.kill(Number(pid), 'SIGKILL');
    await new Promise((done) => bus.once('exit', done));
  });
  const env = { SIGNALBOX_DESKTOP_NOTIFICATIONS: choice, DBUS_SESSION_BUS_ADDRESS: address };
  await waitUntil(
    'the service',
    () => spawnSync(python, ['-c', hasOwner], { env: { ...process.env, ...env } }).status === 0,
  );
  const station = await openStation({ settings, more: env });
  /** Title and body of each call. */
  const shown = (): readonly (readonly string[])[] => {
    const calls = read(log).matchAll(/ Notify "signalbox" 0 "" "(.*?)" "(.*?)" \[\]/gs);
    return [...calls].map(([, title = '', body = '']) => [title, body.replaceAll('\n', '\\n')]);
  };
  return { station, shown, pid: Number(pid) };
}

const hasOwner =
  'import dbus; exit(not dbus.SessionBus().name_has_owner("org.freedesktop.Notifications"))';

function text(shown: readonly (readonly string[])[]): string {
  return shown.map((words) => words.join('\n')).join('\n');
}

function isNamed(shown: readonly (readonly string[])[], name: string): boolean {
  return new RegExp(`(^|\\n)(signalbox: )?${name}(:| waits)`).test(
    text(shown).replaceAll('\\n', '\n'),
  );
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function told({ home }: Station): string {
  return join(home, 'attention.json');
}

function readLog({ home }: Station): string {
  return readFileSync(join(home, 'logs', 'daemon.log'), 'utf8');
}
