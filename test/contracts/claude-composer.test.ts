import { describe, expect, test } from 'vitest';
import type { Composer } from '../../src/agents/status.ts';
import { takesPaste } from '../../src/agents/takes-paste.ts';
import { provider } from '../../src/providers/claude-code/provider.ts';
import type { Screen } from '../../src/providers/provider.ts';
import type { ScreenPattern } from '../../src/terminals/writing.ts';
import { listScreens, readScreen, verdictOn } from '../lab/record/judge.ts';
import { findRow } from '../support/find-row.ts';

/**
 * The composer of Claude Code, on recordings of the real one and on recordings that were changed a
 * little: nothing that holds a person's letter is ever called empty.
 */
const recordings = listScreens()
  .filter((file) => file.startsWith('claude-code/'))
  .map((file) => ({ file, ...readScreen(file) }));
type Recorded = (typeof recordings)[number];

const empty = recordings.filter(({ expected }) => expected.composer === 'empty');
const pasteable = recordings.filter(({ expected }) => takesPaste(expected.composer));
const unproven = recordings.filter(({ expected }) => !takesPaste(expected.composer));
const sign = '❯\u00a0';

function composerRow({ screen }: Recorded): number {
  return screen.lines.findLastIndex((line) => line.startsWith(sign));
}

/** The same screen with another text in that row, drawn as a draft is. */
function withRow(
  { screen }: Recorded,
  at: number,
  text: string,
): Screen & { styledLines: string[] } {
  const put = (lines: readonly string[], row: string): string[] =>
    lines.map((line, y) => (y === at ? row : line));
  return {
    ...screen,
    lines: put(screen.lines, text.trimEnd()),
    styledLines: put(screen.styledLines, `\u001b[0m${text}`),
  };
}

async function whereEmpty(
  screens: readonly Recorded[],
  edit: (recorded: Recorded) => readonly Screen[],
  isWrong: (composer: Composer) => boolean = takesPaste,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const recorded of screens) {
    for (const [nth, screen] of edit(recorded).entries()) {
      const { composer } = await verdictOn('claude-code', screen, recorded.head.version);
      if (isWrong(composer)) found.push(`${recorded.file} (edit ${nth + 1})`);
    }
  }
  return found;
}

/** Below a status line blanks are not told from nothing, and a paste does not mind them. */
const isProven = (composer: Composer): boolean => composer === 'empty';

describe('rule 24: Claude Code’s composer is not called empty', () => {
  test('there are recordings of each', () => {
    expect(empty.length).toBeGreaterThan(50);
    expect(unproven.filter(({ expected }) => expected.composer === 'draft').length).toBeGreaterThan(
      60,
    );
  });

  const words = ['y', 'run the tests', '? for shortcuts', 'Try "edit"', '\u3000x', '🦀'];
  test('when a letter stands in it, wherever the cursor is', async () => {
    const wrong = await whereEmpty(pasteable, (recorded) => {
      const at = composerRow(recorded);
      return words.flatMap((word) => {
        const screen = withRow(recorded, at, `${sign}${word}`);
        return [2, 2 + word.length].map((x) => ({ ...screen, cursor: { x, y: at } }));
      });
    });
    expect(wrong).toEqual([]);
  });

  test('when its text goes on in a second row', async () => {
    const wrong = await whereEmpty(pasteable, (recorded) => {
      const at = composerRow(recorded);
      return ['  second', '  '].map((row) => {
        const { lines, styledLines, cursor } = recorded.screen;
        const add = (rows: readonly string[]): string[] => rows.toSpliced(at + 1, 0, row).slice(1);
        const moved = { x: cursor.x, y: cursor.y - 1 };
        return {
          ...recorded.screen,
          lines: add(lines),
          styledLines: add(styledLines),
          cursor: moved,
        };
      });
    });
    expect(wrong).toEqual([]);
  });

  test('when the cursor stands anywhere else, or nobody knows where', async () => {
    const wrong = await whereEmpty(pasteable, ({ screen }) => {
      const { x, y } = screen.cursor;
      const { cursor: _, ...blind } = screen;
      const moved = [
        { x: x + 1, y },
        { x: x + 4, y },
        { x: 0, y },
        { x, y: y - 1 },
        { x, y: y + 1 },
      ].map((cursor) => ({ ...screen, cursor }));
      return [...moved, blind];
    });
    expect(wrong).toEqual([]);
  });

  test('when the last row of the screen is another than the program’s own', async () => {
    const rows = [
      '',
      '  ',
      '  Press Ctrl-C again to exit',
      '  ⏸ manual mode on',
      '  ? for shortcuts',
    ];
    const bare = empty.filter(
      (recorded) =>
        recorded.screen.lines[composerRow(recorded)] === sign &&
        // Its footer is not the last row: sub-agents are listed below.
        recorded.scenario !== 'subagent-behind',
    );
    const edit = (recorded: Recorded): readonly Screen[] => {
      const last = recorded.screen.lines.findLastIndex((line) => line !== '');
      return rows.map((row) => withRow(recorded, last, row));
    };
    expect(await whereEmpty(bare, edit, isProven)).toEqual([]);
  });

  test('because of what a status line prints above the footer', async () => {
    const hints = [
      '  ⏸ manual mode on · ? for shortcuts · ← for agents',
      '  ⏵⏵ auto mode on · ← for agents',
    ];
    const edit = ({ screen }: Recorded): readonly Screen[] =>
      hints.flatMap((hint) => {
        const last = screen.lines.findLastIndex((line) => line !== '');
        const add = (rows: readonly string[]): string[] => rows.toSpliced(last, 0, hint).slice(1);
        const cursor = { x: screen.cursor.x, y: screen.cursor.y - 1 };
        const shown = { ...screen, lines: add(screen.lines), styledLines: add(screen.styledLines) };
        return [
          { ...shown, cursor },
          { ...shown, cursor: { x: 2, y: cursor.y } },
        ];
      });
    expect(await whereEmpty(unproven, edit, isProven)).toEqual([]);
  });

  test('when a draft’s cursor goes to its start, its letters change, or its colours are lost', async () => {
    const drafts = unproven.filter(({ expected }) => expected.composer === 'draft');
    const wrong = await whereEmpty(drafts, (recorded) => {
      const { styledLines: _, ...plain } = recorded.screen;
      const at = composerRow(recorded);
      if (at < 0) return [plain];
      const home = { x: 2, y: at };
      const other = words.map((word) => ({
        ...withRow(recorded, at, `${sign}${word}`),
        cursor: home,
      }));
      return [plain, { ...recorded.screen, cursor: home }, { ...plain, cursor: home }, ...other];
    });
    expect(wrong).toEqual([]);
  });
});

test('rule 24: without colours a suggestion in Claude Code’s composer counts as a draft', async () => {
  const suggested = empty.filter(({ scenario }) => /^(?:suggestion|example)/.test(scenario));
  expect(suggested.length).toBeGreaterThan(4);
  for (const { screen, head } of suggested) {
    const { styledLines: _, ...plain } = screen;
    expect((await verdictOn('claude-code', plain, head.version)).composer).toBe('draft');
    expect((await verdictOn('claude-code', screen, head.version)).composer).toBe('empty');
  }
});

test('rule 51: what takes no paste, however long it rests, says why, and nothing that passes does', async () => {
  const named = new Map<string, Set<string>>();
  for (const { scenario, screen, head } of recordings) {
    const { noPaste } = await verdictOn('claude-code', screen, head.version);
    if (noPaste === undefined) continue;
    named.set(noPaste, (named.get(noPaste) ?? new Set()).add(scenario));
  }
  expect(named.get('stash')).toEqual(new Set(['stashed']));
  expect(named.get('vim-visual')).toEqual(new Set(['vim-visual']));
  expect(named.size).toBe(2);
});

test('rule 24: a composer that never shows whether it holds blanks is blank, and takes a paste', async () => {
  const blanks: string[] = [];
  for (const { scenario, screen, head } of recordings) {
    const { composer } = await verdictOn('claude-code', screen, head.version);
    if (composer === 'blank') blanks.push(scenario);
  }
  expect(blanks.filter((name) => !/-(?:later|blanks|spaces|shell)$/.test(name))).toEqual([]);
  const places = [
    'auto',
    'edits',
    'plan',
    'bypass',
    'vim',
    'line',
    'lines',
    'false-hint',
    'false-frame',
  ];
  expect(blanks).toEqual(expect.arrayContaining(places.map((place) => `${place}-later`)));
});

describe('rule 24: what tmux asks of Claude Code’s screen in the command that pastes', () => {
  const { absent = [], present = [] } = provider.capabilities.pasteGuard ?? {};
  const stands = ({ screen }: Recorded, pattern: ScreenPattern): boolean =>
    findRow(screen.lines, pattern) >= 0;
  const passes = (recorded: Recorded): boolean =>
    absent.every((pattern) => !stands(recorded, pattern)) &&
    present.every((pattern) => stands(recorded, pattern));

  test('lets every composer pass that takes a paste', () => {
    expect(pasteable.filter((recorded) => !passes(recorded)).map(({ file }) => file)).toEqual([]);
  });

  test('stops at every dialog, picker and menu, and whatever else hides the composer', () => {
    const open = recordings.filter(
      ({ expected, scenario }) =>
        expected.composer === 'hidden' ||
        expected.status === 'waiting' ||
        /^menu-|^vim-visual$/.test(scenario),
    );
    expect(open.length).toBeGreaterThan(70);
    expect(open.filter(passes).map(({ file }) => file)).toEqual([]);
  });

  test('stops at every dialog by a row of its own, even if the composer were still drawn', () => {
    const dialogs = recordings.filter(
      ({ expected, scenario }) => expected.status === 'waiting' || /^menu-/.test(scenario),
    );
    const unseen = dialogs.filter((dialog) => !absent.some((pattern) => stands(dialog, pattern)));
    expect(unseen.map(({ file }) => file)).toEqual([]);
  });
});
