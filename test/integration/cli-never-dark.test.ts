import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { AttentionDocument } from '../../src/protocol/printed.ts';
import { start, waitForEnd } from '../support/cli.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/** What a person is told while a command waits (rule 48), with real terminals. */
describe.skipIf(!hasTmux)('never in the dark', () => {
  test('rule 48: launch waits until the agent is ready, asks a person or has ended, and says which', async () => {
    const station = await openStation();
    const ready = await launch(station, 'ready');
    expect([ready.code, lastLine(ready.stdout)]).toEqual([0, 'ready is ready']);
    const asking = await launch(station, 'asking', '--', '--start', '@@ask trust');
    expect([asking.code, lastLine(asking.stdout)]).toEqual([
      0,
      'asking waits for you: Do you trust the files in this folder? → signalbox attach asking',
    ]);
    // Nothing is painted where nobody sees it.
    expect(`${ready.stderr}${asking.stderr}`).toBe('');
    const agent = await station.ask<AgentView>('status', 'asking');
    expect(agent).toMatchObject({ question: 'Do you trust the files in this folder?' });
    expect((await station.run(['tmux-status'])).stdout).toBe('asking waits for you\n');
    expect((await station.run(['status', 'asking'])).stdout).toMatch(
      /^ {2}what helps +answer it: signalbox attach asking$/m,
    );
    const { items } = await station.ask<AttentionDocument>('attention');
    // On a busy machine its notice is there, too: that comes after 30 s.
    expect(items.filter(({ kind }) => kind === 'question')).toEqual([items[0]]);
    expect(items[0]).toMatchObject({
      kind: 'question',
      text: agent.question,
      next: 'signalbox attach asking',
    });
    expect((await station.run(['attention'])).stdout).toMatch(
      /^ +\S+ {2}asking: Do you trust the files in this folder\?\n +→ signalbox attach asking\n/,
    );
    const document = await launch(station, 'third', '--json', '--', '--start', '@@ask trust');
    expect(document.json()).toMatchObject({ status: 'waiting', question: agent.question });
    const soon = await launch(station, 'soon', '--no-wait', '--', '--start', '@@ask trust');
    expect(lastLine(soon.stdout)).toBe('  see it: signalbox attach soon');
  });

  test('rule 48: an agent that dies at its start is reported with its last words, by launch, handoff and doctor', async () => {
    const station = await openStation();
    // tmux (3.3a) loses a line now and then whose program ends in the same moment.
    const script = 'echo "No license: run cli login"; sleep 0.5; exit 3';
    describeProgram(station, 'unlicensed', ['sh', '-c', script]);
    const launched = await station.run(['launch', 'unlicensed', '--name', 'dead', '--json']);
    expectFault(
      launched,
      1,
      'launch-failed',
      /"dead" ended before it started: exit 3\. It said: No license: run cli login/,
    );
    const doctor = await station.run(['doctor']);
    expect(doctor.stdout).toMatch(
      /warning +"dead" ended .* after it started: exit 3\. It said: No license/,
    );
    // It is still there to be looked at, and a message for it waits.
    expect((await station.agent('dead')).status).toBe('exited');
    const sent = await station.run(['send', 'dead', 'Are you there?']);
    expect([sent.code, sent.stdout]).toEqual([0, 'dead:1 accepted (queued)\n']);
    expect(sent.stderr).toBe(
      'signalbox: The message waits. "dead" does not run (exit 3): it gets its messages after `signalbox restart dead`.\n',
    );
    const waited = await station.run(['send', 'dead', 'And now?', '--wait', 'seen']);
    expect([waited.code, waited.stderr]).toEqual([
      5,
      expect.stringMatching(/does not run .*do not send it again/),
    ]);
    for (const verb of ['assign', 'handoff']) {
      expectFault(
        await station.run([verb, 'dead', 'Work', '--json']),
        5,
        'agent-exited',
        /restart dead/,
      );
    }
    expect((await station.list('dead')).messages).toHaveLength(2);
  });

  test('rule 48: whoever waits for an answer or a delivery is told that the agent asks a person', async () => {
    const station = await openStation();
    await station.launch('worker');
    const handoff = follow(
      station,
      'handoff',
      'worker',
      '@@ask permission make all',
      '--timeout',
      '90s',
    );
    await handoff.says(
      'worker waits for you: Do you want to proceed? make all → signalbox attach worker',
    );
    const wait = follow(station, 'send', 'worker', 'More', '--wait', 'seen', '--timeout', '90s');
    await wait.says('worker waits for you: Do you want to proceed? make all');
    handoff.child.kill('SIGINT');
    const interrupted = await handoff.ended;
    expect(interrupted.code).toBe(130);
    expect(lastLine(interrupted.stderr)).toBe(
      'signalbox: worker needs your word (`signalbox attach worker`) and then goes on with worker:1, and the answer will come as a message. `signalbox cancel worker:1` takes the task back; `signalbox stop worker` ends all its work.',
    );
    wait.child.kill('SIGINT');
    expect(lastLine((await wait.ended).stderr)).toBe(
      'signalbox: worker:2 stays accepted, and is delivered all the same. `signalbox cancel worker:2` takes it back while nobody has read it; `signalbox explain worker:2` says where it is.',
    );
    // Both lines do what they say.
    expect((await station.run(['cancel', 'worker:2'])).stdout).toMatch(/worker:2 was taken back/);
    expect((await station.run(['cancel', 'worker:1'])).stdout).toMatch(
      /is owed no answer any more/,
    );
    // Once for each question.
    expect(interrupted.stderr.match(/waits for you/g)).toHaveLength(1);
    expect(interrupted.stdout).toBe('');
  });

  test('rule 48: who leaves an assign that waits for a start is told how to take the task back', async () => {
    const station = await openStation();
    // It never shows its prompt.
    describeProgram(station, 'slow', ['sh', '-c', 'sleep 600']);
    const assign = follow(station, 'assign', 'slow', 'Work', '--name', 'worker');
    await station.until('worker', ({ status }) => status === 'starting', 'its start');
    await waitUntil('the task', async () => (await station.list('worker')).messages.length === 1);
    await assign.says('the answer comes as a message');
    assign.child.kill('SIGINT');
    expect(lastLine((await assign.ended).stderr)).toBe(
      'signalbox: worker was launched and stays. See it with `signalbox attach worker`; `signalbox stop worker` ends it. `signalbox cancel worker:1` takes the task back.',
    );
    expect((await station.run(['cancel', 'worker:1'])).stdout).toMatch(/worker:1 was taken back/);
  });

  test('rule 48: a look starts a daemon that died again, and none after down', async () => {
    const station = await openStation();
    await station.launch('worker');
    await station.killDaemon();
    expect((await station.run(['ls'])).stderr).toBe('');
    const { pid } = station.daemon();
    await station.killDaemon();
    await station.run(['inbox', 'list']);
    expect(station.daemon().pid).not.toBe(pid);
    await station.run(['down']);
    expect((await station.run(['ls'])).stderr).toContain('No daemon runs since `signalbox down`');
    expect(existsSync(join(station.home, 'daemon.json'))).toBe(false);
  });

  test('rule 48: after down every look says so, shows what was last known, and names what starts one', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('worker');
    await station.run(['down']);
    await station.send('worker', 'Later');
    for (const args of [['ls'], ['status', 'worker'], ['attention'], ['inbox', 'list']]) {
      const looked = await station.run(args);
      const isTold = args[0] !== 'inbox';
      expect([args[0], looked.code, looked.stderr]).toEqual([
        args[0],
        0,
        isTold
          ? 'signalbox: No daemon runs since `signalbox down`; 1 message waits. Shown is what was last known; `signalbox up` starts it.\n'
          : '',
      ]);
      expect(existsSync(join(station.home, 'daemon.json'))).toBe(false);
    }
    // Only the daemon knows these.
    for (const args of [
      ['events', '--json'],
      ['events', '--follow', '--json'],
      ['output', 'worker', '--json'],
      ['output', 'worker', '--follow', '--json'],
    ]) {
      const looked = await station.run(args);
      expectFault(looked, 6, 'daemon-unavailable', /since `signalbox down`.*1 message waits/);
      expect(looked.json()).toMatchObject({
        error: { next: expect.stringContaining('`signalbox up`') },
      });
    }
    const health = await station.run(['health']);
    expect([health.code, health.stdout]).toEqual([
      1,
      expect.stringMatching(/^daemon +stopped [\s\S]*`signalbox up` starts one\.\n$/),
    ]);
    expect((await station.run(['doctor'])).stdout).toMatch(
      /^warning +No daemon runs since `signalbox down`: 1 agent lives on, and no message reaches it\./m,
    );
    // A live view goes by what is known, until somebody starts one.
    const view = start(['ls', '--watch', '--json'], { home: station.home, env: station.env });
    let seen = '';
    view.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    await waitUntil('the first view', () => seen.includes('worker'));
    await station.send('worker', 'Later still');
    await waitUntil('what was sent meanwhile', () => seen.includes('"queued":2'));
    expect(existsSync(join(station.home, 'daemon.json'))).toBe(false);
    await station.run(['up']);
    await waitUntil('what the daemon knows', () => seen.includes('"composer"'));
    view.kill('SIGTERM');
    await waitForEnd(view);
    await station.killDaemon();
    expect((await station.run(['ls'])).stderr).toBe('');
    expect(existsSync(join(station.home, 'daemon.json'))).toBe(true);
  });
});

function launch(station: Station, name: string, ...more: readonly string[]) {
  return station.run(['launch', 'scripted', '--name', name, ...more]);
}

/**
 * A program whose composer is known is starting until it shows that. Of a `generic` one nothing can
 * be known, so `launch` waits a second for its end, which a busy machine may take to begin it.
 */
function describeProgram({ home }: Station, name: string, command: readonly string[]): void {
  const path = join(home, 'config.yaml');
  const config = JSON.parse(readFileSync(path, 'utf8')) as { providers: Record<string, unknown> };
  const providers = { ...config.providers, [name]: { command, idle: ['^> $'] } };
  writeFileSync(path, JSON.stringify({ ...config, providers }));
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

/** A command that goes on while the test looks at what it says. */
function follow(station: Station, ...args: readonly string[]) {
  const child = start(args, { home: station.home, env: station.env });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const ended = waitForEnd(child);
  const over = ended.then(({ stderr, code }) => {
    throw new Error(`it ended with ${code}: ${stderr}`);
  });
  over.catch(() => undefined);
  const says = async (words: string): Promise<void> => {
    while (!said.includes(words)) {
      await Promise.race([new Promise((look) => setTimeout(look, 20)), over]);
    }
  };
  return { child, ended, says };
}
