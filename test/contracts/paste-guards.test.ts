import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/providers/provider.ts';
import { rowOf } from '../../src/terminals/tmux/screen-pattern.ts';
import { listScreens, plainLines } from '../lab/record/judge.ts';
import { parseFileName, parseScreen } from '../lab/record/screen-file.ts';
import { cliNames } from '../lab/versions.ts';
import { findRow, isBarred } from '../support/find-row.ts';

/**
 * What tmux asks of the screen when something is typed, on every screen that was ever recorded
 * (rules 24, 45): it must stop what a dialog would answer, and nothing else.
 */
const providers = await Promise.all(
  cliNames.map(async (name) => {
    const loaded: { provider: Provider } = await import(`../../src/providers/${name}/provider.ts`);
    return loaded.provider;
  }),
);
const guarded = providers.flatMap(({ name, capabilities: { pasteGuard } }) =>
  pasteGuard === undefined ? [] : [{ name, guard: pasteGuard }],
);

test('rules 24, 45: a CLI into which messages are ever pasted has one', () => {
  const pasting = providers.filter(
    ({ capabilities: { routes, prompts, takesOver } }) =>
      takesOver === 'paste' || [...routes, ...prompts].includes('paste'),
  );
  expect(pasting.length).toBeGreaterThan(1);
  const names = guarded.map(({ name }) => name);
  for (const { name } of pasting) expect(names).toContain(name);
});

describe.each(guarded)('rules 24, 45: the guard of $name', ({ name, guard }) => {
  const screens = listScreens()
    .filter((file) => file.startsWith(`${name}/`))
    .map((file) => {
      const { styledLines } = parseScreen(readFileSync(join('test/screens', file), 'utf8'));
      const lines = plainLines(styledLines);
      const { status, composer } = parseFileName(file);
      const isAtRest = status === 'idle' || status === 'completed' || status === 'error';
      const isEmpty = (guard.present ?? []).every((pattern) => findRow(lines, pattern) >= 0);
      const isStopped = isBarred(lines, guard);
      return { file, status, composer, isAtRest, isBarred: isStopped, isEmpty };
    });
  const files = (of: typeof screens): readonly string[] => of.map(({ file }) => file);

  test('is one that tmux can ask for', () => {
    const passed = guard.absent.flatMap((one) =>
      typeof one !== 'string' && 'unless' in one ? [one.unless] : [],
    );
    for (const pattern of [...guard.absent, ...passed, ...(guard.present ?? [])])
      expect(rowOf(pattern)).toMatch(/^#\{C/);
  });

  test('stops a key into every question and dialog that was recorded', () => {
    const asking = screens.filter(({ status }) => status === 'waiting');
    expect(asking.length).toBeGreaterThan(5);
    expect(files(asking.filter(({ isBarred }) => !isBarred))).toEqual([]);
  });

  test('lets a text into every empty composer at rest, and Enter into every draft', () => {
    const resting = screens.filter(({ isAtRest }) => isAtRest);
    const empty = resting.filter(({ composer }) => composer === 'empty');
    expect(empty.length).toBeGreaterThan(5);
    expect(files(empty.filter(({ isBarred, isEmpty }) => isBarred || !isEmpty))).toEqual([]);
    // In a menu Enter chooses.
    const drafts = resting.filter(
      ({ file, composer }) => composer === 'draft' && !file.includes('--menu-'),
    );
    expect(drafts.length).toBeGreaterThan(5);
    expect(files(drafts.filter(({ isBarred }) => isBarred))).toEqual([]);
  });

  // A suggestion is told from a draft by its style alone, which tmux does not look for: there the
  // keys of a person are all that the command asks for.
  const suggests = screens.some(({ file }) => file.includes('--suggestion'));
  test.skipIf(suggests)(
    'lets no text into a draft, unless it is the very words that an empty composer shows',
    () => {
      const drafts = screens.filter(({ composer }) => composer === 'draft');
      const wrong = files(drafts.filter(({ isEmpty }) => isEmpty));
      expect(wrong.filter((file) => !/draft-(placeholder|spaces)/.test(file))).toEqual([]);
    },
  );
});
