import { expect, test, vi } from 'vitest';
import { renderOutput } from './render-output.ts';

const size = { columns: 40, rows: 6 };
const render = (text: string) => renderOutput(Buffer.from(text), size);

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

test('half a character, half a sequence, and nothing at all', async () => {
  expect(await render('')).toEqual([]);
  expect(await renderOutput(Buffer.from('caf\xc3', 'latin1'), size)).toHaveLength(1);
  expect(await render('a\x1b[3')).toEqual(['a']);
  expect(await render(`e${'\u0301'.repeat(100_000)}\r\nend`)).toHaveLength(2);
});
