import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { MessageView } from '../../src/protocol/messages.ts';
import { isAlive } from '../../src/shared/processes.ts';
import { start, waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Box, boxAt } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

interface Result {
  readonly agent: { readonly id: string; readonly name: string };
  readonly exitCode: number;
  readonly durationMs: number;
  readonly completion: { readonly id: string; readonly to: { readonly name: string } } | null;
}

const node = (script: string) => [process.execPath, '-e', script];

test('O11: the exit is a completion for the user; input, output and exit code pass through', async () => {
  const box = boxAt(tempHome());
  const script = 'process.stdin.pipe(process.stdout); console.error("wrong"); process.exitCode = 3';
  const ended = await box.run(['run-task', '--title', 'echo it', '--', ...node(script)], {
    input: 'hello\n',
  });
  expect(ended).toMatchObject({ code: 3, stdout: 'hello\n', stderr: 'wrong\n' });
  const [completion] = (await box.drain('user')).messages;
  expect(completion).toMatchObject({
    kind: 'completion',
    outcome: 'failed',
    from: { name: 'echo-it' },
  });
  expect(completion?.body).toMatch(/^echo it: exit code 3, after \S+\.\nAll of its output:\n\n/);
  expect(completion?.body).toContain('hello');
  expect(completion?.body).toContain('wrong');
  expect(await names(box)).toEqual(['user']);
});

test('an agent that asks is the parent; --parent names another; the user is nobody’s', {
  tags: ['full'],
}, async () => {
  const box = boxAt(tempHome());
  for (const name of ['lead', 'other']) await box.ask('agents', 'add', name, '--session', 'shop');
  expect((await box.runAs('lead', ['run-task', '--', 'true'])).code).toBe(0);
  await box.run(['run-task', '--parent', 'other', '--', 'true']);
  expect((await box.list('lead')).messages).toMatchObject([
    { outcome: 'completed', from: { name: 'true' } },
  ]);
  expect((await box.list('other')).messages).toHaveLength(1);
  expect((await box.list('user')).messages).toEqual([]);
  const refused = await box.run(['run-task', '--parent', 'user', '--json', '--', 'true']);
  expectFault(refused, 5, 'not-allowed', /nobody's parent/);
  expectFault(
    await box.run(['run-task', '--parent', 'nobody', '--json', '--', 'true']),
    3,
    'agent-not-found',
  );
  expectFault(await box.run(['run-task', '--json']), 2, 'usage', /no command/);
  expectFault(await box.run(['run-task', '--json', '--']), 2, 'usage', /no command/);
});

test('the command acts in its own name, without the token of whoever started it', async () => {
  const box = boxAt(tempHome());
  await box.ask('agents', 'add', 'lead');
  const script =
    'const e = process.env; console.log(e.SIGNALBOX_AGENT, e.SIGNALBOX_TOKEN, e.SIGNALBOX_EPOCH)';
  const env = { SIGNALBOX_TOKEN: 'tok_lead', SIGNALBOX_EPOCH: '1' };
  const ended = await box.runAs('lead', ['run-task', '--', ...node(script)], { env });
  expect(ended.stdout).toMatch(/^agt_\w+ undefined undefined\n$/);
});

test('--json is one document at the end; the command’s output goes to stderr', async () => {
  const box = boxAt(tempHome());
  const ended = await box.run(['run-task', '--json', '--', 'sh', '-c', 'echo out; kill -TERM $$']);
  expect(ended).toMatchObject({ code: 143, stderr: 'out\n' });
  const result = ended.json<Result>();
  expect(Object.keys(result)).toEqual(['agent', 'exitCode', 'durationMs', 'completion']);
  expect(result).toMatchObject({
    exitCode: 143,
    completion: { to: { name: 'user' }, state: 'queued', outcome: 'failed' },
  });
  expect((await box.explain(result.completion?.id ?? '')).message.body).toContain(
    'SIGTERM, exit code 143',
  );
});

test('what is not there is 127, what cannot be run is 126, and both are told', {
  tags: ['full'],
}, async () => {
  const box = boxAt(tempHome());
  expect(await box.run(['run-task', '--', 'no-such-program-here'])).toMatchObject({
    code: 127,
    stderr: 'signalbox: no-such-program-here: there is no such program.\n',
  });
  expect((await box.run(['run-task', '--', box.home])).code).toBe(126);
  const bodies = (await box.list('user')).messages.map(({ body }) => body);
  expect(bodies[0]).toMatch(/^no-such-program-here: there is no such program, after \S+\.$/);
  expect(bodies[1]).toContain('it cannot be run (EACCES)');
});

test('50 MB pass through; 32 KiB of them, the last, are the completion', {
  tags: ['full'],
}, async () => {
  const box = boxAt(tempHome());
  const script = `
    const line = '\\u001b[31mé\\u001b[0m'.repeat(50) + '\\n';
    const block = line.repeat(Math.ceil(1e6 / Buffer.byteLength(line)));
    let left = 50;
    const go = () => { if (left-- > 0) process.stdout.write(block, go); else process.stdout.write('the end\\u0007'); };
    go();`;
  const ended = await box.run(['run-task', '--', ...node(script)]);
  expect(Buffer.byteLength(ended.stdout)).toBeGreaterThan(50e6);
  const [completion] = (await box.list('user')).messages;
  const body = completion?.body ?? '';
  expect(completion?.truncated).toBe(false);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(32 * 1024);
  expect(Buffer.byteLength(body)).toBeGreaterThan(8 * 1024);
  expect(body).toMatch(/The last \S+KiB of \d+(\.\d)?MiB of its output/);
  expect(body).toMatch(/\né{50}\nthe end$/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
  expect(body).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffd]/);
});

test('no output, and output that is no text', { tags: ['full'] }, async () => {
  const box = boxAt(tempHome());
  await box.run(['run-task', '--title', 'quiet', '--', 'true']);
  await box.run([
    'run-task',
    '--title',
    'noise',
    '--',
    ...node('process.stdout.write(Buffer.from([255, 0, 254, 10]))'),
  ]);
  const [quiet, noise] = (await box.list('user')).messages.map(({ body }) => body);
  expect(quiet).toMatch(/^quiet: exit code 0, after \S+\.\nIt wrote nothing\.$/);
  expect(noise).toMatch(/\n\n\ufffd\u2400\ufffd$/);
});

test('a reader that goes away ends the command, as it would without us', async () => {
  const box = boxAt(tempHome());
  const child = start(['run-task', '--', 'yes'], { home: box.home });
  child.stdout?.once('data', () => child.stdout?.destroy());
  // By SIGPIPE, or by what it does when its output fails.
  expect((await waitForEnd(child)).code).not.toBe(0);
  expect((await box.list('user')).messages).toMatchObject([{ outcome: 'failed' }]);
});

test('what the command leaves in the background is not waited for', async () => {
  const box = boxAt(tempHome());
  const ended = await box.run(['run-task', '--', 'sh', '-c', 'sleep 600 & echo $!']);
  const pid = Number(ended.stdout);
  expect(ended.code).toBe(0);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

describe('signals', () => {
  for (const signal of sweepList(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1'] as const)) {
    test(`${signal} goes to the command, and its end is told`, async () => {
      const box = boxAt(tempHome());
      const script = `process.on('${signal}', () => { console.log('got it'); process.exit(9); }); console.log('ready'); setInterval(() => {}, 1000)`;
      const child = start(['run-task', '--', ...node(script)], { home: box.home });
      const ended = waitForEnd(child);
      child.stdout?.once('data', () => child.kill(signal));
      expect(await ended).toMatchObject({ code: 9, stdout: 'ready\ngot it\n' });
      expect((await box.list('user')).messages).toMatchObject([{ outcome: 'failed' }]);
    });
  }
});

describe('rule 32: killed with -9', () => {
  test('while the command runs: whoever looks next tells that nobody knows, once', async () => {
    const box = boxAt(tempHome());
    await box.ask('agents', 'add', 'lead');
    const pidFile = join(box.home, 'pid');
    const args = [
      'run-task',
      '--parent',
      'lead',
      '--',
      'sh',
      '-c',
      'echo $$ > "$0"; exec sleep 600',
      pidFile,
    ];
    const child = start(args, { home: box.home });
    const ended = waitForEnd(child);
    await waitUntil(
      'the command',
      () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim(),
    );
    expect(await names(box)).toHaveLength(3);
    child.kill('SIGKILL');
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    await ended;
    // Two at once look.
    await Promise.all([box.run(['ls']), box.run(['doctor']), box.run(['ls'])]);
    expect((await box.list('lead')).messages).toMatchObject([{ outcome: 'unknown' }]);
    expect(await names(box)).toEqual(['lead', 'user']);
  });

  for (const [place, outcome] of [
    ['run-task.noted', 'unknown'],
    ['run-task.ended', 'unknown'],
    ['run-task.committed', 'completed'],
  ] as const) {
    test(`at ${place}`, async () => {
      const box = boxAt(tempHome());
      const held = await box.hold(place, ['run-task', '--', 'true']);
      await held.kill();
      const { messages } = await box.list('user');
      expect(messages).toMatchObject([{ outcome }]);
      expect((await box.list('user')).messages).toHaveLength(1);
    });
  }
});

test('two at once, and ten', { tags: ['full'] }, async () => {
  const box = boxAt(tempHome());
  await box.ask('agents', 'add', 'lead');
  const runs = Array.from({ length: 10 }, (_, i) =>
    box.run(['run-task', '--parent', 'lead', '--title', 'same', '--', 'sh', '-c', `exit ${i % 2}`]),
  );
  const codes = (await Promise.all(runs)).map(({ code }) => code);
  expect(codes).toEqual(Array.from({ length: 10 }, (_, i) => i % 2));
  const { messages } = await box.list('lead');
  expect(new Set(messages.map(({ from }: MessageView) => from.id)).size).toBe(10);
  expect(await names(box)).toEqual(['lead', 'user']);
});

async function names(box: Box): Promise<readonly string[]> {
  const { agents } = await box.ask<{ agents: AgentView[] }>('ls');
  return agents.map(({ name }) => name).sort();
}

test('O11: an end that cannot be committed waits in a file, and counts once', {
  tags: ['full'],
}, async () => {
  const box = boxAt(tempHome());
  await box.ask('agents', 'add', 'lead');
  const ledger = join(box.home, 'ledger.db');
  const aside = join(box.home, 'aside');
  // A file that is no ledger stands in its place for as long as the end is told.
  const script = `const fs = require('node:fs'); fs.renameSync(${JSON.stringify(ledger)}, ${JSON.stringify(aside)});
    fs.writeFileSync(${JSON.stringify(ledger)}, 'no ledger'.repeat(1000)); process.exit(4)`;
  const ended = await box.run(['run-task', '--parent', 'lead', '--', ...node(script)]);
  expect(ended.code).toBe(4);
  expect(ended.stderr).toMatch(
    /^signalbox: The completion could not be committed .* waits in .*spool/,
  );
  expect(readdirSync(join(box.home, 'spool'))).toHaveLength(1);
  const { renameSync } = await import('node:fs');
  renameSync(aside, ledger);
  await Promise.all([box.run(['ls']), box.run(['ls'])]);
  expect((await box.list('lead')).messages).toMatchObject([{ outcome: 'failed' }]);
  expect(readdirSync(join(box.home, 'spool'))).toEqual([]);
});
