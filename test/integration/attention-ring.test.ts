import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HealthView } from '../../src/protocol/daemon.ts';
import { program, start, waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasCommand } from './fixtures/has-command.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';
import { ask } from './fixtures/telling.ts';

const hasScript = hasCommand('script');
const question = 'lead waits for you: Do you trust the files in this folder?';
const wezterm = { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' };
const notification = `\x1b]777;notify;signalbox;${question}\x07`;

/**
 * Live views ring the terminal; `script` (util-linux) gives them a real one and keeps its bytes.
 */
describe.skipIf(!hasTmux || !hasScript)('a live view rings (needs tmux and script)', () => {
  const views = [
    ['ls', '--watch'],
    ['attention', '--watch'],
  ];
  test.each(sweepList(views))(
    'rule 48: %s %s rings once for a question, with a notification where the terminal takes one',
    async (...args) => {
      const station = await openStation();
      const view = open(station, wezterm, args);
      await waitUntil('the view', () => /no agents yet|nothing needs you/.test(view.bytes()));
      await ask(station, 'lead');
      await waitUntil('the notification', () => view.bytes().includes(notification));
      expect(view.bytes()).toContain(`\x07${notification}`);
      await ask(station, 'next');
      await waitUntil('the next one', () => view.bytes().includes('notify;signalbox;next waits'));
      expect(view.bytes().split('\x1b]777;')).toHaveLength(3);
      expect(view.bells()).toBe(2);
    },
  );

  test('rule 48: an answer to the user rings', async () => {
    const station = await openStation();
    await station.launch('lead');
    const view = open(station, wezterm, ['ls', '--watch']);
    await waitUntil('the view', () => view.bytes().includes('lead'));
    await station.run(['assign', 'lead', 'Work']);
    await waitUntil('the notification', () => view.bytes().includes('lead wrote to you'));
    expect(view.bytes()).toContain('\x07\x1b]777;notify;signalbox;lead wrote to you\x07');
  });

  test('rule 48: an answer that an agent sends by a command in its terminal rings once', async () => {
    const station = await openStation();
    const go = join(station.home, 'go');
    const run = `'${process.execPath}' '${program}'`;
    const wait = (file: string) => `while ! [ -e '${file}' ]; do sleep 0.05; done`;
    const first = `${wait(go)}; ${run} send user 'It is green.'; ${wait(`${go}-on`)}`;
    const task = `${run} run-task --title build -- true; touch '${go}-done'; sleep 600`;
    const worker = ['launch', 'generic', '--name', 'worker', '--', 'sh', '-c', `${first}; ${task}`];
    expect((await station.run(worker)).code).toBe(0);
    const view = open(station, wezterm, ['ls', '--watch']);
    await waitUntil('the view', () => view.bytes().includes('worker'));
    await waitUntil('the events', async () => (await subscribers(station)) === 1);
    writeFileSync(go, '');
    const bell = '\x07\x1b]777;notify;signalbox;worker wrote to you\x07';
    await waitUntil('the notification', () => view.bytes().includes(bell));
    // What is for the agent itself rings nowhere, and what has rung does not ring again.
    writeFileSync(`${go}-on`, '');
    await waitUntil('the other command', () => existsSync(`${go}-done`));
    await station.run(['send', 'user', 'a note to myself']);
    await station.run(['assign', 'worker', 'Rest.']);
    await waitUntil('the notes', () => view.bytes().includes('your inbox: 2 unread'));
    expect(view.bells()).toBe(1);
  });

  test('a terminal that is not known, a pipe and a dumb terminal', { tags: ['full'] }, async () => {
    const station = await openStation();
    const plain = open(station, { TERM: 'xterm-256color' }, ['ls', '--watch']);
    const dumb = open(station, { TERM: 'dumb', TERM_PROGRAM: 'WezTerm' }, ['ls', '--watch']);
    const piped = start(['ls', '--watch'], { home: station.home, env: wezterm });
    onTestFinished(() => void piped.kill());
    const ended = waitForEnd(piped);
    for (const view of [plain, dumb])
      await waitUntil('the view', () => /no agents/.test(view.bytes()));
    await ask(station, 'lead');
    await waitUntil('the bell', () => plain.bells() === 1);
    expect(plain.bytes()).not.toContain('\x1b]');
    await waitUntil('the question', () => dumb.bytes().includes('trust the files'));
    expect(dumb.bytes()).not.toContain('\x07');
    piped.kill();
    expect((await ended).stdout).not.toContain('\x07');
  });

  test('rule 48: launch and handoff ring on the terminal they wait at', async () => {
    const station = await openStation();
    const launch = ['launch', 'scripted', '--name', 'lead', '--', '--start', '@@ask trust'];
    const launched = open(station, wezterm, launch);
    await launched.ended;
    const told = `${question} → signalbox attach lead\x07`;
    expect(launched.bytes()).toContain(`\x07\x1b]777;notify;signalbox;${told}`);
    const handoff = open(station, wezterm, ['handoff', 'lead', 'Work']);
    await waitUntil('the notification', () => handoff.bytes().includes(`signalbox;${told}`));
    expect(handoff.bells()).toBe(1);
  });

  test.each(['on', 'off'])(
    'in tmux the terminal around it is asked, with allow-passthrough %s',
    { tags: ['full'] },
    async (passes) => {
      const station = await openStation();
      const socket = join(tempHome(), 'outer.sock');
      const tmux = (...args: readonly string[]) =>
        execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env: person(station) });
      const words = [process.execPath, program, 'ls', '--watch'];
      tmux('new-session', '-d', '-x', '120', '-y', '40', ...words);
      onTestFinished(() => void tmux('kill-server'));
      tmux('set-option', '-g', 'allow-passthrough', passes);
      const client = openAny(station, { TERM: 'xterm-256color' }, ['tmux', '-S', socket, 'attach']);
      // It asks what the terminal is, and this one is WezTerm.
      await waitUntil('its question', () => client.bytes().includes('\x1b[>q'));
      client.type('\x1bP>|WezTerm 20240203-110809\x1b\\');
      const type = () => String(tmux('display-message', '-p', '#{client_termtype}'));
      await waitUntil('its answer', () => type().startsWith('WezTerm'));
      await waitUntil('the view', () => /no agents/.test(client.bytes()));
      await ask(station, 'lead');
      await waitUntil('the bell', () => client.bells() > 0);
      if (passes === 'on') {
        await waitUntil('the notification', () => client.bytes().includes(notification));
      } else {
        await ask(station, 'next');
        await waitUntil('the next bell', () => client.bells() > 1);
        expect(client.bytes()).not.toContain('\x1b]777');
      }
    },
  );
});

async function subscribers(station: Station): Promise<number | undefined> {
  const { components } = await station.ask<HealthView>('health');
  return components.daemon.subscribers;
}

/** What a person's own shell has, and nothing that marks a CLI's child. */
function person(station: Station): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, LANG: 'C.UTF-8', TERM: 'xterm-256color', SIGNALBOX_HOME: station.home };
}

function open(station: Station, env: Readonly<Record<string, string>>, args: readonly string[]) {
  return openAny(station, env, [process.execPath, program, ...args]);
}

function openAny(station: Station, env: Readonly<Record<string, string>>, argv: readonly string[]) {
  const line = argv.map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    env: { ...person(station), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  let bytes = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    bytes += text;
  });
  const ended = new Promise((done) => child.once('close', done));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  return {
    ended,
    bytes: () => bytes,
    /** Those that ring: others end a sequence. */
    bells: () => count(bytes, '\x07') - count(bytes, '\x1b]'),
    type: (text: string) => void child.stdin.write(text),
  };
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
