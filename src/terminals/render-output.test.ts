import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Drawing } from './drawing.ts';
import { renderOutput } from './render-output.ts';

const size = { columns: 40, rows: 6 };
const render = async (text: string | Buffer): Promise<readonly string[]> => {
  const lines = await renderOutput(Buffer.from(text), size);
  if (!lines) throw new Error('it took too long');
  return lines;
};

test('a spinner and a line that is painted again are shown as they were last', async () => {
  const frames = ['|', '/', '-'].map((sign) => `\r\x1b[2K${sign} working`).join('');
  expect(await render(`hello\r\n${frames}\r\x1b[2Kdone\r\n`)).toEqual(['hello', 'done']);
});

test('what scrolled away stands above the screen', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  expect(await render(lines.join('\r\n'))).toEqual(lines);
});

test('a second screen that the program has left stays, where it was and as it was last', async () => {
  const full = (text: string) => `\x1b[?1049h\x1b[2J\x1b[H${text}\x1b[2;1Hready\x1b[?1049l`;
  const text = `$ one\r\n${full('first')}$ two\r\n${full('second')}bye\r\n`;
  expect(await render(text)).toEqual([
    '$ one',
    'first',
    'ready',
    '$ two',
    'second',
    'ready',
    'bye',
  ]);
});

test('a second screen that stands is the end', async () => {
  expect(await render('$ top\r\n\x1b[?1049h\x1b[Htasks\x1b[3;1Hload')).toEqual([
    '$ top',
    'tasks',
    '',
    'load',
  ]);
});

test('blanks that were painted up to the edge are left out', async () => {
  expect(await render(`\x1b[?1049h\x1b[Hmenu${' '.repeat(36)}${' '.repeat(40)}foot`)).toEqual([
    `menu${' '.repeat(76)}foot`,
  ]);
  expect(
    await render(`\x1b[?1049h\x1b[Hmenu${' '.repeat(36)}\x1b[2;1H${' '.repeat(40)}\x1b[3;1Hfoot`),
  ).toEqual(['menu', '', 'foot']);
});

test('a line that was broken at the edge is one line again', async () => {
  const long = 'word '.repeat(20).trim();
  expect(await render(`${long}\r\nnext`)).toEqual([long, 'next']);
});

test('a second screen survives more lines than are kept', async () => {
  const flood = 'line\r\n'.repeat(25_000);
  const lines = await render(`\x1b[?1049hthe picture\x1b[?1049l${flood}end`);
  expect([lines[0], lines.at(-1)]).toEqual(['the picture', 'end']);
});

test.each([...'@ABCDEFGIJKLMPSTXZ`abdefgmnqrt'])(
  'two billion times %s neither hangs nor fails',
  async (final) => {
    expect(await render(`\x1b[2147483647${final}\x1b[2J\x1b[Hstill here`)).toContain('still here');
  },
);

test('bytes that mean nothing are passed over in silence', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await render('\x1b[?1;\x7f\x9bx\x1bP1$r\x7f\x1b\\\x00here')).toEqual([
    expect.stringMatching(/here$/),
  ]);
  expect(said).not.toHaveBeenCalled();
  said.mockRestore();
});

test('a log that takes too long to draw is not drawn', async () => {
  expect(await renderOutput(Buffer.from('text'), size, -1)).toBeUndefined();
});

test('whatever a program prints, nothing but text comes out', async () => {
  const soup = fc.array(
    fc.oneof(
      fc.constantFrom('\x1b', '\x9b', '[', ']', 'P', '_', '^', 'X', '\\', '\x07', '\x18', '?', ';'),
      fc.constantFrom('52;c;cHduZWQ=', '0;title', '8;;http://x', '1049h', '1049l', '6n', '38;5;1m'),
      fc.constantFrom(
        '\r',
        '\n',
        '\t',
        '\b',
        '\x0e',
        '\x0f',
        '\x00',
        '\x7f',
        '\u0085',
        '\u202e',
        '\xc3',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.nat(99).map(String),
    ),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(soup, fc.nat(80), async (parts, from) => {
      const bytes = Buffer.from(parts.join(''), 'utf8').subarray(from);
      for (const line of await render(bytes)) expect(line).not.toMatch(/\p{Cc}/u);
    }),
    { numRuns: 100 },
  );
});

test('half a character, half a sequence, and nothing at all', async () => {
  expect(await render('')).toEqual([]);
  expect(await render(Buffer.from('caf\xc3', 'latin1'))).toHaveLength(1);
  expect(await render('a\x1b[3')).toEqual(['a']);
  expect(await render(`e${'\u0301'.repeat(100_000)}\r\nend`)).toHaveLength(2);
});

describe('the rows of a drawing that somebody follows', () => {
  const open = async () => {
    const drawing = await Drawing.open(size);
    onTestFinished(() => drawing.dispose());
    const show = async (text: string) => {
      await drawing.write(Buffer.from(text));
      const rows = drawing.takeRows().filter(({ text }) => text !== '');
      return rows.map(
        ({ text, isGone, isOpen }) => `${text}${isGone ? '^' : ''}${isOpen ? '…' : ''}`,
      );
    };
    return { show };
  };

  test('are what stands there, and what scrolled away since the last look', async () => {
    const { show } = await open();
    expect(await show('one\r\ntwo\r\nthr')).toEqual(['one', 'two', 'thr…']);
    expect(await show('ee\r\n4\r\n5\r\n6\r\n7\r\n8')).toEqual([
      'one^',
      'two^',
      'three',
      '4',
      '5',
      '6',
      '7',
      '8…',
    ]);
    expect(await show('\r\n9\r\n')).toEqual(['three^', '4^', '5', '6', '7', '8', '9']);
    expect(await show('')).toEqual(['5', '6', '7', '8', '9']);
  });

  test('are those of the second screen, too, and of one that was left since', async () => {
    const { show } = await open();
    await show(Array.from({ length: 9 }, (_, at) => `${at}\r\n`).join(''));
    expect(await show('more\r\n\x1b[?1049h\x1b[Hpage\x1b[3;1Hkeys')).toEqual([
      '4^',
      '5',
      '6',
      '7',
      '8',
      'more',
      'page',
      'keys…',
    ]);
    // What scrolled away is told once, however long the second screen stands.
    expect(await show('\x1b[Hnext')).toEqual(['5', '6', '7', '8', 'more', 'next…', 'keys']);
    expect(await show('\x1b[?1049lbye\r\n')).toEqual([
      '5^',
      '6',
      '7',
      '8',
      'more',
      'bye',
      'next^',
      'keys^',
    ]);
    expect(await show('\x1b[?1049hquick\x1b[?1049l')).toContain('quick^');
  });
});
