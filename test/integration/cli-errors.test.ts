import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandGroups } from '../../src/cli/help.ts';
import { type Box, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

test('usage errors: exit 2, one line on stderr, the same as a document, and nothing is touched', async () => {
  const box = await openBox();
  const wrong = {
    'frobnicate --json': /There is no command "frobnicate"\. See/,
    'inbo --json': /Did you mean `signalbox inbox`\?/,
    'ls --al --json': /has no option "--al"\. Did you mean --all\?/,
    'ls extra --json': /takes no arguments, and got 1: "extra"/,
    'ls --json --session': /--session needs a value/,
    'inbox frobnicate --json': /frobnicate/,
    'inbox drain --max x --json': /whole number from 1/,
    'inbox drain a b --json': /takes one argument, and got 2: "b"/,
    'inbox list --state x --json': /There is no state "x"/,
    'inbox show --json': /needs <message>\. For example `signalbox inbox show 412`/,
    'inbox ack --json': /needs <messages>/,
    'send --json': /needs <agent>/,
    'send user --json': /no text to send/,
    'send user x --ttl x --json': /Give a span/,
    'rm --json': /You named no agent to remove/,
    'agents add --json': /`signalbox agents add` needs <name>/,
    'explain --json': /needs <message>/,
    'dead-letters retry --json': /You named no message/,
    'config set retention --json': /needs <value>/,
    'config frobnicate --json': /no command "frobnicate" in `signalbox config`/,
    'completion --json': /needs <shell>/,
    '--json': /has no option "--json"/,
    'help frobnicate --json': /There is no command "frobnicate"/,
  };
  const lines = Object.entries(wrong);
  const ended = await Promise.all(lines.map(([line]) => box.run(line.split(' '))));
  lines.forEach(([, said], i) => {
    const one = ended[i];
    if (one) expectFault(one, 2, 'usage', said);
  });
  expect(readdirSync(box.home)).toEqual([]);
});

test('a group without a command is a usage error on stderr alone; no words at all is help', async () => {
  const box = await openBox();
  for (const group of ['agents', 'inbox', 'dead-letters']) {
    const { code, stdout, stderr } = await box.run([group]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^signalbox: `signalbox \S+` needs one of its commands: .*--help.*\n$/);
  }
  const { code, stdout, stderr } = await box.run([]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: signalbox /);
});

test('after -- nothing is an option, not even --json', async () => {
  const box = await openBox();
  const { code, stdout, stderr } = await box.run(['send', 'nobody', '--', '--json']);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/No agent named "nobody"/);
});

test('every command has --help with an example, and every command that does something takes --json', {
  tags: ['full'],
}, async () => {
  const box = await openBox();
  const helps = await readHelps(box, []);
  expect(helps.size).toBeGreaterThan(20);
  for (const [path, help] of helps) {
    expect(help, path).toMatch(/^ {2}\$ \S+/m);
    const isGroup = path === '' || /^Commands:$/m.test(help);
    if (!isGroup) expect(help, path).toMatch(/^ {2}--json /m);
  }
  expect(readdirSync(box.home)).toEqual([]);
});

/** The help of a command and of all below it, by path. */
async function readHelps(box: Box, path: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { code, stdout } = await box.run([...path, '--help']);
  expect(code).toBe(0);
  const headings = path.length === 0 ? Object.keys(commandGroups) : ['Commands:'];
  const names = headings.flatMap((heading) => {
    const [, below = ''] = stdout.split(`\n${heading}\n`);
    const [list = ''] = below.split('\n\n');
    return [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  });
  const children = names.filter((name) => name !== 'help');
  const below = await Promise.all(children.map((name) => readHelps(box, [...path, name])));
  return new Map([[path.join(' '), stdout], ...below.flatMap((helps) => [...helps])]);
}

test('the version is one line', async () => {
  const box = await openBox();
  for (const flag of ['-V', '--version']) {
    expect((await box.run([flag])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  }
});
