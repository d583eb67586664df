import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { findNotifier, notifyWords } from './desktop.ts';

const words = { title: 'lead waits for you', body: 'rm <a> & "b" \\n?\nsignalbox attach lead' };

test('rule 47: osascript gets texts as arguments of a script that is always the same', () => {
  expect(notifyWords({ kind: 'osascript', program: '/usr/bin/osascript' }, words)).toEqual([
    '/usr/bin/osascript',
    '-e',
    'on run argv',
    '-e',
    'display notification (item 2 of argv) with title (item 1 of argv)',
    '-e',
    'end run',
    'signalbox: lead waits for you',
    'rm <a> & "b" \\n?\nsignalbox attach lead',
  ]);
});

test('rule 47: notify-send gets a body without markup and escapes, and no text as an option', () => {
  expect(notifyWords({ kind: 'notify-send', program: '/usr/bin/notify-send' }, words)).toEqual([
    '/usr/bin/notify-send',
    '--app-name=signalbox',
    '--',
    'signalbox: lead waits for you',
    'rm &lt;a&gt; &amp; "b" \\\\n?\nsignalbox attach lead',
  ]);
});

test('a machine without a desktop has no notifier, and says why', async () => {
  const folder = tempHome();
  const find = (env: NodeJS.ProcessEnv) => findNotifier(env, 'linux');
  expect(await find({ PATH: folder })).toMatchObject({
    kind: 'none',
    why: 'notify-send is not installed',
  });
  const program = join(folder, 'notify-send');
  writeFileSync(program, '');
  chmodSync(program, 0o755);
  const found = { kind: 'notify-send', program };
  expect(await find({ PATH: folder })).toMatchObject({
    kind: 'none',
    why: expect.stringContaining('no D-Bus session'),
  });
  expect(await find({ PATH: folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' })).toEqual(found);
  expect(await find({ PATH: folder, XDG_RUNTIME_DIR: folder })).toMatchObject({ kind: 'none' });
  // A folder that is none, as one of another user that was left in the environment.
  expect(await find({ PATH: folder, XDG_RUNTIME_DIR: program })).toMatchObject({ kind: 'none' });
  const bus = createServer().listen(join(folder, 'bus'));
  onTestFinished(() => void bus.close());
  await new Promise((done) => bus.once('listening', done));
  expect(await find({ PATH: folder, XDG_RUNTIME_DIR: folder })).toEqual(found);
});
