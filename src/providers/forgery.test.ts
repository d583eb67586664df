import { describe, expect, test } from 'vitest';
import { detect } from './detector/detect.ts';
import { loadBuiltIn } from './detector/load.ts';

/**
 * How each CLI draws an answer above its empty composer: the answer's rows, then what is always
 * there.
 */
interface Layout {
  readonly first: string;
  readonly next: string;
  readonly prompt: string;
  readonly composer: readonly string[];
  readonly title: string;
  /** Its row within the composer. */
  readonly cursor?: { readonly x: number; readonly row: number };
}

const wide = (character: string): string => character.repeat(100);
const layouts: Readonly<Record<string, Layout>> = {
  'claude-code': {
    first: '● ',
    next: '  ',
    prompt: '❯ go',
    composer: [wide('─'), '❯', wide('─'), '  ⏸ manual mode on · ? for shortcuts'],
    title: '✳ Claude Code',
  },
  codex: {
    first: '• ',
    next: '  ',
    prompt: '› go',
    composer: ['› Ask Codex to do anything', '', '  model default · /srv/app', '  ? for shortcuts'],
    title: 'work',
  },
  gemini: {
    first: '✦ ',
    next: '  ',
    prompt: ' > go',
    composer: [
      `${' '.repeat(80)}? for shortcuts`,
      wide('─'),
      ' Shift+Tab to accept edits',
      '',
      ' >   Type your message or @path/to/file',
      '',
      ' workspace (/directory)      sandbox      /model',
    ],
    title: '◇  Ready (work)',
  },
  copilot: {
    first: ' ● ',
    next: '   ',
    prompt: ' ❯ go',
    composer: ['/srv/app', wide('─'), '❯', wide('─'), ' Interactive · / commands · ? help'],
    title: 'go - GitHub Copilot',
  },
  qwen: {
    first: '  ◆ ',
    next: '    ',
    prompt: '  > go',
    composer: [wide('─'), '>   Type your message or @path/to/file', wide('─'), '  ➜ work · model'],
    title: 'Qwen - work',
  },
  kimi: {
    first: ' ● ',
    next: '   ',
    prompt: ' ✨ go',
    composer: [` ╭${wide('─')}╮`, ` │ >${' '.repeat(96)}│`, ` ╰${wide('─')}╯`, ' model  /srv/app'],
    title: 'go',
  },
  opencode: {
    first: '     ',
    next: '     ',
    prompt: '  ┃  go',
    composer: [
      '  ┃',
      '  ┃',
      '  ┃',
      '  ┃  Build · model',
      `  ╹${wide('▀')}`,
      '   /srv/app    tab agents  ctrl+p commands',
    ],
    title: 'OC | go',
    // Its dialogs lie over the screen: only the cursor tells that there is none.
    cursor: { x: 5, row: 1 },
  },
};

/** What these programs draw themselves when they ask, work or fail; here the model says it. */
const forgeries: Readonly<Record<string, readonly string[]>> = {
  'a permission dialog': [
    'Do you want to proceed?',
    '❯ 1. Yes',
    '  2. No',
    '',
    'Esc to cancel · Tab to amend',
  ],
  'a command’s question': [
    'Would you like to run the following command?',
    '› 1. Yes, proceed (y)',
    '  2. No (esc)',
    '',
    'Press enter to confirm or esc to cancel',
  ],
  'a framed question': [
    '│ Allow execution of [Shell]?',
    '│ ● 1. Allow once',
    '│   3. No, suggest changes (esc)',
    '╰────────',
  ],
  'a trust question': [
    'Quick safety check',
    'Do you trust the files in this folder?',
    '❯ Yes, I trust this folder',
    '▶ 1. Trust folder',
    '↑/↓ to navigate · enter to select · esc to cancel',
  ],
  'OpenCode’s question': [
    '┃  △ Permission required',
    '┃   Allow once   Allow always   Reject   enter confirm',
  ],
  'a spinner': [
    '✻ Cogitating… (12s · esc to interrupt)',
    '⠏ Thinking... (esc to cancel, 2s)',
    '🌗 working',
    'esc interrupt',
  ],
  'a footer': [
    'esc to interrupt',
    '◎ Working esc esc edit prompt',
    'Waiting for user confirmation...',
    'Enter to steer',
  ],
  'an error': [
    'Here is the log:',
    '■ unexpected status 401',
    '✕ [API Error: 500]',
    '✗ Authentication failed',
    '● API Error: 500',
  ],
};

describe.each(Object.entries(layouts))(
  'E4: what the model prints does not fool the detector of %s:',
  (provider, layout) => {
    test.each(Object.entries(forgeries))('%s', async (_, rows) => {
      const detector = await loadBuiltIn(provider);
      for (const gap of [0, 3]) {
        const answer = rows.map((row, i) => (i === 0 ? layout.first : layout.next) + row);
        const blank = Array<string>(gap).fill('');
        const lines = ['', layout.prompt, '', ...answer, ...blank, '', ...layout.composer];
        // Without sequences: nothing on it is dim.
        const { title, cursor: at } = layout;
        const cursor = at && { x: at.x, y: lines.length - layout.composer.length + at.row };
        const verdict = detect(detector, {
          lines,
          styledLines: lines,
          title,
          ...(cursor ? { cursor } : {}),
        });
        expect([verdict.rule, verdict.status]).toEqual([
          verdict.rule,
          expect.stringMatching(/^(idle|completed)$/),
        ]);
      }
    });

    test('an empty composer in its answer, above a screen that is not recognised', async () => {
      const detector = await loadBuiltIn(provider);
      const answer = layout.composer.map((row) => layout.next + row);
      const lines = [
        '',
        layout.prompt,
        '',
        `${layout.first}Look:`,
        ...answer,
        '',
        ...Array<string>(16).fill('  a dialog nobody knows'),
      ];
      const cursor = { x: 2, y: lines.length - 1 };
      const verdict = detect(detector, { lines, styledLines: lines, cursor });
      expect(verdict).toMatchObject({
        status: 'unknown',
        composer: expect.not.stringMatching(/empty/),
      });
    });
  },
);
