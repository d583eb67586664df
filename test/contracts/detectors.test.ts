import { describe, expect, test } from 'vitest';
import { detect } from '../../src/providers/detector/detect.ts';
import { loadBuiltIn } from '../../src/providers/detector/load.ts';
import { inPalette } from '../fakes/herdr/terminals/palette.ts';
import { describeJudgement, judge, listScreens } from '../lab/record/judge.ts';
import { cliNames, pins } from '../lab/versions.ts';

/**
 * Every screen that was ever recorded from a real CLI (E4). The file's name says what a detector
 * must make of it.
 */
const recordings = listScreens();

describe.each(cliNames)('the detector of %s', (provider) => {
  const files = recordings.filter((file) => file.startsWith(`${provider}/`));

  test('is backed by recordings of the pinned version in two sizes', () => {
    const sizes = new Set(files.map((file) => file.split('/').slice(1, 3).join(' ')));
    const pinned = [...sizes].filter((size) => size.startsWith(`${pins[provider].version} `));
    expect(pinned.length).toBeGreaterThanOrEqual(2);
  });

  test('says what each recording is named after', async () => {
    const judged = await Promise.all(files.map((file) => judge(file)));
    const wrong = judged.filter(
      ({ isStatusRight, isComposerRight }) => !isStatusRight || !isComposerRight,
    );
    expect(wrong.map(describeJudgement)).toEqual([]);
  });

  test('never says idle while there is work or a question, nor calls a composer empty that is not (rule 24)', async () => {
    const judged = await Promise.all(files.map((file) => judge(file)));
    const dangerous = judged.filter(({ isWrongIdle, isWrongEmpty }) => isWrongIdle || isWrongEmpty);
    expect(dangerous.map(describeJudgement)).toEqual([]);
  });

  test('never does so where nobody tells the cursor, as in herdr', async () => {
    const judged = await Promise.all(files.map((file) => judge(file, 'blind')));
    const dangerous = judged.filter(({ isWrongIdle, isWrongEmpty }) => isWrongIdle || isWrongEmpty);
    expect(dangerous.map(describeJudgement)).toEqual([]);
  });

  test('sees in a screen as herdr writes it what it sees in tmux’s', async () => {
    for (const eyes of ['sharp', 'blind'] as const) {
      const inTmux = await Promise.all(files.map((file) => judge(file, eyes)));
      const inHerdr = await Promise.all(files.map((file) => judge(file, eyes, inPalette)));
      expect(inHerdr).toEqual(inTmux);
    }
  });
});

test('rule 51a: Claude Code shows that sub-agents work beside a conversation at rest, and no other screen of it does', async () => {
  const files = recordings.filter((file) => file.startsWith('claude-code/'));
  const judged = await Promise.all(files.map((file) => judge(file)));
  const beside = judged.filter(({ verdict }) => verdict.beside).map(({ file }) => file);
  const recorded = files.filter((file) => file.includes('--subagent-behind'));
  expect(recorded.length).toBeGreaterThan(1);
  expect(beside).toEqual(recorded);
});

test('rule 24: Qwen Code’s shell mode, in which its input file is read as commands, is told from any draft', async () => {
  const files = recordings.filter((file) => file.startsWith('qwen/'));
  const judged = await Promise.all(files.map((file) => judge(file)));
  const inMode = judged.filter(({ verdict }) => verdict.mode === 'shell').map(({ file }) => file);
  const recorded = files.filter((file) => file.includes('--shell-mode'));
  expect(recorded.length).toBeGreaterThan(1);
  expect(inMode).toEqual(recorded);
});

test.each([
  [`╭──${'─'.repeat(40)} ↑ 3 more ${'─'.repeat(40)}╮`, `╰${'─'.repeat(92)}╯`],
  [`╭${'─'.repeat(92)}╮`, `╰──${'─'.repeat(40)} ↓ 3 more ${'─'.repeat(40)}╯`],
])(
  'rule 24: a composer of Kimi Code with rows out of sight is not empty, however blank the rest is (%#)',
  async (top, bottom) => {
    const detector = await loadBuiltIn('kimi');
    const lines = ['', ` ${top}`, ` │ >${' '.repeat(90)}│`, ` ${bottom}`, ' mock-model'];
    const whole = [lines[0], ` ╭${'─'.repeat(92)}╮`, lines[2], ` ╰${'─'.repeat(92)}╯`, lines[4]];
    const look = (rows: readonly (string | undefined)[]) =>
      detect(detector, { lines: rows.map((row = '') => row), cursor: { x: 5, y: 2 } }).composer;
    expect(look(whole)).toBe('empty');
    expect(look(lines)).not.toBe('empty');
  },
);

test.each(['60x20', '40x12'])(
  'rule 24: every CLI was recorded in a window of %s, launched so and shrunk to it, and its composer is read there',
  async (size) => {
    const read = async (set: string, scenario: string) => {
      const files = recordings.filter(
        (file) => file.includes(`/${set}-${size}/`) && file.endsWith(`--${scenario}.screen`),
      );
      const judged = await Promise.all(files.map((file) => judge(file)));
      return judged.map(({ head, verdict }) => [head.provider, verdict.composer] as const);
    };
    for (const set of ['a', 's']) {
      for (const [scenario, composer] of [
        ['started', 'empty'],
        ['answered', 'empty'],
        ['draft-line', 'draft'],
        ['permission-shell', 'hidden'],
      ] as const) {
        const seen = new Map(await read(set, scenario));
        expect([...seen.keys()].sort()).toEqual([...cliNames].sort());
        // Its first screen has no whole composer in so narrow a window.
        const isBare = size === '40x12' && ['started', 'draft-line'].includes(scenario);
        if (isBare) seen.delete('opencode');
        expect(new Set(seen.values())).toEqual(new Set([composer]));
      }
    }
  },
);

test('OpenCode in a headless herdr’s pane, without a cursor and with a footer in two rows, is seen to rest, to fail and to work', async () => {
  const files = recordings.filter((file) => /^opencode\/.*-53x23\//.test(file));
  const judged = await Promise.all(files.map((file) => judge(file, 'blind')));
  // What may be a dialog of the person's own is not told from rest without a cursor.
  const clear = judged.filter(({ expected }) => expected.detail !== 'dialog');
  expect(clear.map(({ expected }) => expected.status)).toEqual(
    expect.arrayContaining(['idle', 'completed', 'error', 'processing', 'waiting']),
  );
  expect(clear.filter(({ isStatusRight }) => !isStatusRight).map(describeJudgement)).toEqual([]);
});

test('rules 39, 48: of a CLI that asks for trust or a permission in a usual window, what it asks is known', async () => {
  const files = recordings.filter((file) => {
    const [, , size = '', name = ''] = file.split('/');
    return /^waiting\.(?:trust|permission)--/.test(name) && !/-(?:40|60)x/.test(size);
  });
  const judged = await Promise.all(files.map((file) => judge(file)));
  expect(judged.length).toBeGreaterThan(100);
  const silent = judged.filter(({ verdict }) => verdict.question === undefined);
  // In 24 rows a long command pushes Kimi Code's question off the screen.
  expect(silent.map(({ file }) => file.split('/').slice(2).join(' '))).toEqual([
    'a-80x24 waiting.permission--hidden--permission-long-command.screen',
  ]);
});
