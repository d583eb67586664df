import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { waitForEnd } from '../support/cli.ts';
import { boundary, HookStage, pathWithoutCurl } from './fixtures/hook-stage.ts';

/** Everything that a shell might take for something else. */
const nasty =
  '$(touch x) `id` "quotes" \'single\' \\n \\\\ %s %d\n\n  two  spaces\t*\n$HOME ünï 🚂\n-n\n\n';
const wish = { saysBy: 'code' } as const;
const silence = { code: 0, stdout: '', stderr: '' };
const shells = ['/bin/sh', '/bin/dash', '/bin/bash'].filter((shell) => existsSync(shell));

describe('a hook that reports', () => {
  test('rule 20: with nothing to say it costs one request, and is silent', async () => {
    const stage = await HookStage.open();
    const payload = JSON.stringify({ session_id: 'x', text: nasty });
    expect(await stage.run('PreToolUse', { payload })).toMatchObject(silence);
    expect(await stage.run('Stop', { payload })).toMatchObject(silence);
    expect(stage.server.fleet.hooks.map(({ event, body }) => [event, body])).toEqual([
      ['PreToolUse', JSON.parse(payload)],
      ['Stop', JSON.parse(payload)],
    ]);
  });

  test('a program of a person may run its hook by a shell, quoted or not, and without one', async () => {
    const stage = await HookStage.open();
    const path = stage.command('', { eventFollows: true });
    const hook = { HOOK: path };
    for (const command of ['"$HOOK" Stop', '$HOOK Stop', 'sh -c "$HOOK Stop"', `${path} Stop`]) {
      expect(await stage.run('', { command, env: hook })).toMatchObject(silence);
    }
    // As `spawn(command, [event])` does.
    const child = spawn(path, ['Stop'], { env: stage.env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end('{}');
    expect(await waitForEnd(child)).toMatchObject(silence);
    expect(stage.server.fleet.hooks.map(({ event }) => event)).toEqual(Array(5).fill('Stop'));
    // What is said is printed, and nothing else of ours is seen.
    stage.server.fleet.offer = boundary;
    stage.server.hookDesk.next = nasty;
    const said = await stage.run('', { command: `${path} Stop` });
    expect(said).toMatchObject({ code: 0, stdout: nasty, stderr: '' });
    for (const end of ['exit 2', 'exit 127', 'kill -9 $$']) {
      writeFileSync(stage.script, `#!/bin/sh\necho complaint >&2; ${end}\n`);
      expect(await stage.run('', { command: `${path} Stop` })).toMatchObject(silence);
    }
    rmSync(stage.script);
    expect(await stage.run('', { command: `${path} Stop` })).toMatchObject(silence);
  });

  test.each(shells)(
    '%s prints what it is told byte for byte, after it was confirmed',
    async (shell) => {
      const stage = await HookStage.open("it's a folder");
      stage.server.fleet.offer = boundary;
      stage.server.hookDesk.next = nasty;
      const ended = await stage.run('Stop', { shell });
      expect(ended).toMatchObject({ code: 0, stdout: nasty, stderr: '' });
      expect(stage.server.hookDesk.confirmed).toEqual(['say_1']);
    },
  );

  test('a CLI that wants stderr and an exit code gets them', async () => {
    const stage = await HookStage.open();
    stage.server.fleet.offer = { ...boundary, reply: (stderr) => ({ stderr, exitCode: 2 }) };
    stage.server.hookDesk.next = nasty;
    const said = { code: 2, stdout: '', stderr: nasty };
    expect(await stage.run('Stop', { wish })).toMatchObject(said);
    // As one has it that runs since before an upgrade.
    stage.server.hookDesk.next = nasty;
    expect(await stage.run('Stop', { command: `${stage.script} Stop` })).toMatchObject(said);
  });

  test('rule 16: what is refused, or confirmed too late, is not printed', async () => {
    const stage = await HookStage.open();
    stage.server.fleet.offer = boundary;
    stage.server.hookDesk.next = 'late';
    stage.server.hookDesk.isConfirmable = false;
    expect(await stage.run('Stop')).toMatchObject(silence);
    stage.server.hookDesk.next = 'never';
    stage.server.hookDesk.isConfirmable = true;
    stage.server.hookDesk.confirm = () => new Promise(() => undefined);
    expect(await stage.run('Stop')).toMatchObject(silence);
  });

  test('rule 23: a daemon that hangs, garbage, or a refusal does not break the agent', async () => {
    const stage = await HookStage.open();
    expect(await stage.run('Stop', { env: { SIGNALBOX_TOKEN: 'wrong' } })).toMatchObject(silence);
    await stage.close();
    for (const answer of [
      undefined,
      'garbage\r\n\r\n',
      'HTTP/1.1 200 OK\r\n\r\n$(id) stdout 2\nx',
    ]) {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).resume();
        if (answer !== undefined) socket.end(answer);
      });
      await new Promise<void>((done) => server.listen(stage.socket, done));
      chmodSync(stage.socket, 0o600);
      expect(await stage.run('Stop')).toMatchObject(silence);
      await new Promise((done) => server.close(done));
    }
  });

  test('rule 23: it ends although its payload does not', async () => {
    const stage = await HookStage.open();
    for (const event of ['PostToolUse', 'Stop']) {
      const child = stage.start(event, { payload: null });
      child.stdin?.write('{"half');
      expect(await waitForEnd(child)).toMatchObject(silence);
    }
  });

  test('outside an agent of ours it does nothing', async () => {
    const stage = await HookStage.open();
    expect(await stage.run('Stop', { env: { SIGNALBOX_TOKEN: '' } })).toMatchObject(silence);
    expect(await stage.run('Stop', { env: { SIGNALBOX_SOCKET: '' } })).toMatchObject(silence);
    expect(stage.server.fleet.hooks).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')('its token stands in no command line', async () => {
    const stage = await HookStage.open();
    // A curl that writes down every command line there is at that moment, then does its work: it
    // lives for half a second, too short for a look from outside on a busy machine.
    const [folder, seen] = [join(stage.home, 'watched'), join(stage.home, 'seen')];
    const real = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'curl'),
      `#!/bin/sh\ncat /proc/[0-9]*/cmdline 2>/dev/null > '${seen}'\nexec '${real}' "$@"\n`,
      { mode: 0o755 },
    );
    const token = 'tok_unmistakable_0123456789';
    const env = { SIGNALBOX_TOKEN: token, PATH: `${folder}:${process.env['PATH']}` };
    expect(await stage.run('Stop', { env })).toMatchObject(silence);
    const lines = readFileSync(seen, 'utf8');
    expect(lines).toContain(stage.socket);
    expect(lines).not.toContain(token);
  });
});

describe('without curl', () => {
  test('Node reports and prints in its stead', async () => {
    const stage = await HookStage.open();
    const env = { PATH: pathWithoutCurl(stage.home) };
    expect(await stage.run('Stop', { env, payload: '{"a":1}' })).toMatchObject(silence);
    expect(stage.server.fleet.hooks).toMatchObject([{ event: 'Stop', body: { a: 1 } }]);
    stage.server.fleet.offer = boundary;
    stage.server.hookDesk.next = nasty;
    expect(await stage.run('Stop', { env })).toMatchObject({ code: 0, stdout: nasty, stderr: '' });
    stage.server.fleet.offer = { ...boundary, reply: (stderr) => ({ stderr, exitCode: 2 }) };
    stage.server.hookDesk.next = nasty;
    expect(await stage.run('Stop', { env, wish })).toMatchObject({
      ...{ code: 2, stdout: '', stderr: nasty },
    });
  });

  test('rule 23: nor anything else: it is silent all the same', async () => {
    const stage = await HookStage.open();
    const env = { PATH: join(stage.home, 'nowhere') };
    await stage.close();
    expect(await stage.run('Stop', { env })).toMatchObject(silence);
  });
});
