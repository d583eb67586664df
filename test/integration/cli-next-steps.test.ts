import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import { tempHome } from '../support/home.ts';
import { openPerson } from '../support/person.ts';
import { boxAt, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

test.each([
  [['run-task', 'make', '-j4'], /after --.*Run `signalbox run-task -- make -j4`/],
  [['run-task', 'echo', 'a b'], /`signalbox run-task -- echo 'a b'`/],
  [['run-task', '--titel', 'x', '--', 'make'], /no option "--titel"/],
  [['inbox'], /needs one of its commands: list, show, drain, ack.*`signalbox inbox list`/],
  [['send', 'x', 'hi', '--timeout', '5'], /no unit: write 5s, 5m, 5h or 5d/],
  [['send', 'x', 'hi', '--wait'], /--wait needs one of injected, seen, acked/],
  [['restart', 'a', 'b', '--cwd', '/'], /--cwd is for one agent/],
])('a mistake in %j is answered with its own next step', async (args, said) => {
  const ended = await (await openBox('x')).run(args);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(said);
});

test('a profile whose file is not there is answered with what to name', async () => {
  const ended = await (await openBox()).run(['profile', 'add', './nowhere.md', '--json']);
  expectFault(ended, 1, 'config-invalid', /no file "\.\/nowhere\.md".*profile show reviewer/);
});

test('a name that nothing has is answered with what was meant, and a task with the agents that run', async () => {
  const station = await openBox('worker');
  const launch = await station.run(['launch', 'cluade', '--json']);
  expectFault(launch, 3, 'provider-not-found', /"cluade"\. Did you mean "claude"\?/);
  const handoff = await station.run(['handoff', 'lab', 'x', '--json']);
  expectFault(
    handoff,
    3,
    'provider-not-found',
    /no agent, no provider.*"lab"\. Agents are worker\./,
  );
  await station.run(['down']);
});

test('a folder that was deleted meanwhile is named as the reason, and what needs no folder works', async () => {
  const box = await openBox('worker');
  const folder = join(box.home, 'gone');
  mkdirSync(folder);
  const wrapper = ['sh', '-c', `cd "${folder}" && rmdir "${folder}" && exec "$@"`, 'sh'];
  const ended = await box.run(['profile', 'list', '--json'], { wrapper });
  expectFault(ended, 2, 'invalid-input', /folder.* has been deleted.*cd ~/);
  mkdirSync(folder);
  expect((await box.run(['send', 'worker', 'x'], { wrapper })).code).toBe(0);
});

describe('the text of a message', () => {
  const bodies = async (box: Awaited<ReturnType<typeof openBox>>) =>
    (await box.list('worker')).messages.map(({ body }) => body);

  test('comes from a pipe or a file where none was given', async () => {
    const box = await openBox('worker');
    const file = join(box.home, 'text');
    writeFileSync(file, 'from a file');
    const piped = ['sh', '-c', 'printf "from a pipe" | "$@"', 'sh'];
    const redirected = ['sh', '-c', `"$@" <"${file}"`, 'sh'];
    for (const wrapper of [piped, redirected]) {
      expect((await box.run(['send', 'worker'], { wrapper })).code).toBe(0);
    }
    expect(await bodies(box)).toEqual(['from a pipe', 'from a file']);
  });

  test('is never read from there beside a text, and is missed where nothing comes', async () => {
    const box = await openBox('worker');
    const piped = ['sh', '-c', 'printf "not this" | "$@"', 'sh'];
    expect((await box.run(['send', 'worker', 'this'], { wrapper: piped })).code).toBe(0);
    expect(await bodies(box)).toEqual(['this']);
    for (const from of ['</dev/null', '<&-']) {
      const wrapper = ['sh', '-c', `"$@" ${from}`, 'sh'];
      const ended = await box.run(['send', 'worker', '--json'], { wrapper });
      expectFault(ended, 2, 'usage', /no text to send.*pipe one in/);
    }
  });
});

test('an older Node.js is refused before anything is loaded, with the version that is needed', async () => {
  const box = boxAt(tempHome());
  const old = join(box.home, 'old.cjs');
  const set = (what: string, name: string, value: string) =>
    `Object.defineProperty(${what}, '${name}', { value: '${value}' });\n`;
  // As Node 18.20.8 does it.
  const refuse = `globalThis.RegExp = new Proxy(RegExp, {
    construct: (target, [source, flags = '']) => {
      if (flags.includes('v')) throw new SyntaxError('Invalid flags supplied to RegExp constructor');
      return new target(source, flags);
    },
  });\n`;
  const version = set('process.versions', 'node', '18.20.8');
  writeFileSync(old, version + set('process', 'version', 'v18.20.8') + refuse);
  const env = { NODE_OPTIONS: `--require ${old}` };
  const ended = await box.run(['ls', '--json'], { env });
  expectFault(ended, 1, 'wrong-node', /needs Node\.js 20\.19 or newer, and this is v18\.20\.8/);
  const plain = await box.run(['mcp'], { env });
  expect([plain.code, plain.stdout]).toEqual([1, '']);
  expect(plain.stderr).toMatch(/^signalbox: signalbox needs Node\.js 20\.19 or newer, .+\n$/);
});

describe('config set', () => {
  test('refuses a default provider that there is not', async () => {
    const ended = await (await openBox()).run([
      'config',
      'set',
      'default-provider',
      'cluade',
      '--json',
    ]);
    expectFault(ended, 3, 'provider-not-found', /Did you mean "claude"/);
  });

  test.skipIf(!hasTmux)(
    'of the default provider holds for the next launch; of others it says what must restart',
    async () => {
      const station = await openStation();
      await station.ask('up');
      writeFileSync(
        join(station.home, 'plain.md'),
        '---\nname: plain\ndescription: no provider\n---\nWork.\n',
      );
      expect((await station.run(['profile', 'add', join(station.home, 'plain.md')])).code).toBe(0);
      expect((await station.run(['config', 'set', 'default-provider', 'scripted'])).stdout).toBe(
        'default-provider is scripted now\n',
      );
      const { provider } = await station.ask<AgentView>('launch', 'plain', '--no-wait');
      expect(provider).toBe('scripted');
      const other = await station.run(['config', 'set', 'depth-limit', '4']);
      expect(other.stdout).toMatch(
        /for commands now\nthe daemon \(pid \d+\) has it after `signalbox down && signalbox up`/,
      );
      expect(await station.ask('config', 'set', 'depth-limit', '5')).toMatchObject({
        needsRestart: true,
      });
    },
  );
});

describe.skipIf(!hasTmux)('lives', () => {
  test('an agent whose folder is gone is restarted elsewhere with --cwd', async () => {
    const station = await openStation();
    const [gone, other] = [join(station.home, 'a b'), join(station.home, 'other')];
    mkdirSync(gone);
    mkdirSync(other);
    await station.launch('worker', '--cwd', gone);
    await station.ask('stop', 'worker');
    rmdirSync(gone);
    const refused = await station.run(['restart', 'worker', '--json']);
    expectFault(refused, 2, 'invalid-input', /folder of "worker" is gone.*--cwd <folder>/);
    const { agents } = await station.ask<{ agents: AgentView[] }>(
      ...['restart', 'worker', '--cwd', other],
    );
    expect(agents).toMatchObject([{ cwd: other, epoch: 2 }]);
  });

  test('rm and restart of an agent at work ask the user at a terminal; no changes nothing', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const { control } = await station.launch('worker');
    void control.tell('@@work 600s').catch(() => undefined);
    await station.untilStatus('worker', 'processing');
    const person = await openPerson(station.home);
    const no = await person.type(['rm', 'worker'], ['n']);
    expect(no.code).toBe(1);
    expect(no.screen).toMatch(
      /worker is at work\nRemove it\? \[y\/N\] n\nsignalbox: nothing was done/,
    );
    const also = await person.type(['restart', 'worker'], ['n']);
    expect(also.screen).toContain('a restart breaks off its turn');
    expect((await station.agent('worker')).epoch).toBe(1);
    const yes = await person.type(['rm', 'worker'], ['y']);
    expect(yes.code).toBe(0);
    expect((await station.run(['status', 'worker'])).code).toBe(3);
  });

  test('rule 33: a handoff with the same key gives the user the same answer again', async () => {
    const station = await openStation();
    await station.launch('worker');
    const handoff = ['handoff', 'worker', 'Go @@say forty-two', '--key', 'k'];
    const first = await station.run(handoff);
    expect([first.code, first.stdout]).toEqual([0, 'forty-two\n']);
    const second = await station.run(handoff);
    expect([second.code, second.stdout]).toEqual([0, 'forty-two\n']);
    const third = await station.run([...handoff, '--json']);
    expect(third.json()).toMatchObject({ outcome: 'answered', message: { repeat: true } });
    // A model learns that it is the answer that it had before.
    const model = await station.run(handoff, { env: { CLAUDECODE: '1' } });
    expect(model.stdout).toMatch(
      /answered before, as user:\d+\n.*\n.*This may be a repeat\.\nforty-two/,
    );
  });
});
