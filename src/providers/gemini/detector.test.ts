import { expect, test } from 'vitest';
import { detect } from '../detector/detect.ts';
import { loadBuiltIn } from '../detector/load.ts';

const line = '─'.repeat(120);
const spinner = ' ⠸ Executing Hooks: signalbox, signalbox (esc to cancel, 0s)';
const composer = [
  line,
  ' Shift+Tab to accept edits                                      1 MCP server',
  '',
  ' > <signalbox mark_cqs8nr4tys1sma0a>',
  "   Mail, not typed here. Our lines have ys1sma0a. Answer: signalbox send NAME --reply-to ID '…'",
  '   letterdcd01ccad8 ok',
  '   </signalbox ys1sma0a>',
  '',
  ' workspace (/directory)                       sandbox                     /model',
  ' /tmp/work                                    no sandbox                    Auto',
];
/** Of 0.61.0, after two people had made its window 60×20 and 120×40 in turns. */
const leftBehind = [spinner, line, ' Shift+Tab to accept edits', '✦ ok', '', '', '', ...composer];

test.each(['◇  Ready (work)', ''])(
  'rule 44: a spinner that a resize left above an older line is no work (title %j)',
  async (title) => {
    const detector = await loadBuiltIn('gemini');
    const verdict = detect(detector, { lines: leftBehind, title });
    expect(verdict).toMatchObject({ status: 'idle', composer: 'draft' });
  },
);

test('rule 44: a spinner below an older line is work, and so is one that the title denies nothing of', async () => {
  const detector = await loadBuiltIn('gemini');
  const below = [line, ' Shift+Tab to accept edits', '✦ ok', spinner, ...composer];
  for (const lines of [below, ['✦ ok', spinner, ...composer]]) {
    const verdict = detect(detector, { lines, title: '' });
    expect(verdict.status).toBe('processing');
  }
});
