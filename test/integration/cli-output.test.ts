import { describe, expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { openBox } from './fixtures/box.ts';
import { hasCommand } from './fixtures/has-command.ts';

/** What a terminal would obey, and characters that reorder or hide what a person reads. */
const hostile = 'a\u001b[2Jb\u0007c\u009b31md\u202ee\rf\u0000g\u007fh\u2066i';
const escapeCharacter = '\u001b';

test('rule 14: bodies cannot act on the terminal of who reads them, and are exact in JSON', async () => {
  const box = await openBox('worker');
  const sent = await box.run(['send', 'worker', '--file', '-', '--json'], { input: hostile });
  const { id } = sent.json<{ id: string }>();
  expect((await box.list('worker')).messages[0]?.body).toBe(hostile);
  const line = 'a<U+001B>[2Jb<U+0007>c<U+009B>31md<U+202E>e';
  const text = `${line}\nf<U+0000>g<U+007F>h<U+2066>i`;
  for (const [shown, ...args] of [
    [`${line}<U+0…`, 'inbox', 'list', 'worker'],
    [text, 'inbox', 'show', id],
    [text, 'explain', id],
    [text, 'inbox', 'drain', 'worker'],
  ] as const) {
    const { stdout, code } = await box.run(args);
    expect(code).toBe(0);
    expect(stdout).toContain(shown);
    expect(stdout).not.toContain(escapeCharacter);
  }
});

test('text of every script arrives as it was sent, in tables and in full', async () => {
  const box = await openBox('worker');
  const body = 'naïve 漢字 עברית 🚀👩‍👩‍👧 e\u0301\n\tsecond line';
  await box.send('worker', body);
  const { stdout } = await box.run(['inbox', 'list', 'worker']);
  expect(stdout).toMatch(/ naïve 漢字 עברית 🚀👩‍👩‍👧 e\u0301\n$/u);
  const drained = await box.run(['inbox', 'drain', 'worker']);
  expect(drained.stdout).toContain(`\n${body}\n`);
});

describe('a reader that goes away', () => {
  /** More than a pipe holds, so that whoever writes it waits for the reader. */
  const big = 'x'.repeat(300_000);
  const leaves = ['bash', '-c', 'set -o pipefail; "$@" | head -c 1', 'bash'];

  test('rules 16, 17, 18: before the end leaves a drain’s messages uncertain: exit 1, then marked', async () => {
    const box = await openBox('worker');
    await box.run(['send', 'worker', '--file', '-'], { input: big });
    const small = await box.send('worker', 'behind it');
    const ended = await box.run(['inbox', 'drain', 'worker', '--json'], { wrapper: leaves });
    expect([ended.code, ended.stdout]).toEqual([1, '{']);
    expect(ended.stderr).toMatch(/EPIPE.*2 messages may have been read\. Drain again/);
    const listed = await box.list('worker');
    expect(listed.messages.map(({ state }) => state)).toEqual(['uncertain', 'uncertain']);
    const again = await box.drain('worker');
    expect(again.messages.map(({ repeat, attempts }) => [repeat, attempts])).toEqual([
      [true, 2],
      [true, 2],
    ]);
    expect(again.messages[0]?.body).toBe(big);
    expect((await box.explain(small)).message.state).toBe('acked');
  });

  test('rule 17: a disk that is full behind the redirection is the same', async () => {
    const box = await openBox('worker');
    const id = await box.send('worker', 'x');
    const wrapper = ['sh', '-c', 'exec "$@" >/dev/full', 'sh'];
    for (const format of [['--json'], []]) {
      const ended = await box.run(['inbox', 'drain', 'worker', ...format], { wrapper });
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/ENOSPC.*1 message may have been read\. Drain again/);
    }
    const { messages } = await box.drain('worker');
    expect(messages).toMatchObject([{ id, repeat: true, attempts: 3 }]);
    // Said in words too.
    await box.send('worker', 'y');
    await box.run(['inbox', 'drain', 'worker'], { wrapper });
    const { stdout } = await box.run(['inbox', 'drain', 'worker']);
    expect(stdout).toMatch(/\nThis may be a repeat\.\ny\n/);
  });

  test('gets no stack trace from any command', async () => {
    const box = await openBox('worker');
    await box.run(['send', 'worker', '--file', '-'], { input: big });
    const wrapper = ['sh', '-c', 'exec "$@" >/dev/full', 'sh'];
    const commands = [
      ['--help'],
      ['ls'],
      ['inbox', 'list', 'worker'],
      ['doctor'],
      ['completion', 'bash'],
    ];
    const ended = await Promise.all(commands.map((args) => box.run(args, { wrapper })));
    for (const one of ended) {
      expect(one.code).toBe(1);
      expect(one.stderr).toMatch(/^signalbox: The output could not be written to its end .*\n$/);
    }
  });
});

describe.skipIf(!hasCommand('script'))(
  'a terminal (left out where there is no script command)',
  () => {
    test('gets colour, and none under NO_COLOR', async () => {
      const box = await openBox('worker');
      const wrapper = [
        'sh',
        '-c',
        'exec script -qec "$0 $1 ls --wide" /dev/null',
        process.execPath,
        program,
      ];
      expect((await box.run([], { wrapper })).stdout).toContain(`${escapeCharacter}[2mNAME`);
      const plain = await box.run([], { wrapper, env: { NO_COLOR: '1' } });
      expect(plain.stdout).toContain('NAME');
      expect(plain.stdout).not.toContain(escapeCharacter);
    });
  },
);
