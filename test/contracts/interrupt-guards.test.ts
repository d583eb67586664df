import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/providers/provider.ts';
import { rowOf, titleHas } from '../../src/terminals/tmux/screen-pattern.ts';
import type { ScreenGuard } from '../../src/terminals/writing.ts';
import { listScreens, plainLines } from '../lab/record/judge.ts';
import { parseFileName, parseScreen } from '../lab/record/screen-file.ts';
import { cliNames } from '../lab/versions.ts';
import { findRow, isBarred } from '../support/find-row.ts';

/**
 * What tmux asks of the screen in the command that presses Esc, on every screen that was ever
 * recorded (rule 45): it lets the key into work, and into nothing that Esc would answer or open.
 */
const providers = await Promise.all(
  cliNames.map(async (name) => {
    const loaded: { provider: Provider } = await import(`../../src/providers/${name}/provider.ts`);
    return loaded.provider;
  }),
);
const guarded = providers.flatMap(({ name, capabilities: { interruptKeys } }) =>
  interruptKeys === undefined ? [] : [{ name, keys: interruptKeys }],
);

/** The program's own work on its history: what Esc does to that was not tried. */
const compacting = /--compacting-/;
/**
 * Copilot 1.0.92 names one Esc in its footer, where 1.0.102 names two. What one does there has not
 * been tried, so `interrupt` refuses and names the way to its terminal.
 */
const otherKeys = /^copilot\/1\.0\.92\//;
/** The model has printed the very row; nobody at the terminal could tell it from work either. */
const forged = /--forged-/;

interface Shown {
  readonly lines: readonly string[];
  readonly title: string;
}

test('rule 45: each CLI has a way to be interrupted: an API of its own, or guarded keys', () => {
  expect(guarded.map(({ name }) => name).toSorted()).toEqual(
    providers
      .map(({ name }) => name)
      .filter((name) => name !== 'codex' && name !== 'opencode')
      .toSorted(),
  );
});

describe.each(guarded)('rule 45: the keys that interrupt $name', ({ name, keys }) => {
  const screens = listScreens()
    .filter((file) => file.startsWith(`${name}/`))
    .map((file) => {
      const { head, styledLines } = parseScreen(readFileSync(join('test/screens', file), 'utf8'));
      const { title } = head;
      return { file, title, lines: plainLines(styledLines), ...parseFileName(file) };
    });
  const bars = (title: string, { absentTitle }: ScreenGuard): boolean =>
    absentTitle !== undefined && new RegExp(absentTitle.regex, 'u').test(title);
  const lets = ({ lines, title }: Shown, guard: ScreenGuard): boolean =>
    !isBarred(lines, guard) &&
    !bars(title, guard) &&
    (guard.present ?? []).every((pattern) => findRow(lines, pattern) >= 0);
  const letsAny = (shown: Shown): boolean => keys.some((guard) => lets(shown, guard));
  const files = (of: typeof screens): readonly string[] => of.map(({ file }) => file);

  test('ask only what tmux can be asked, and each for a sign of work', () => {
    for (const { absent, present = [], absentTitle } of keys) {
      if (absentTitle) expect(titleHas(absentTitle)).toMatch(/^#\{m\/r:/);
      expect(present.length).toBeGreaterThan(0);
      const passed = absent.flatMap((one) =>
        typeof one !== 'string' && 'unless' in one ? [one.unless] : [],
      );
      for (const pattern of [...absent, ...passed, ...present])
        expect(rowOf(pattern)).toMatch(/^#\{C/);
    }
  });

  test('are pressed in every screen of work that was recorded', () => {
    const busy = screens.filter(
      ({ file, status, composer }) =>
        status === 'processing' &&
        composer !== 'draft' &&
        !compacting.test(file) &&
        !otherKeys.test(file),
    );
    expect(busy.length).toBeGreaterThan(20);
    expect(files(busy.filter((shown) => !letsAny(shown)))).toEqual([]);
  });

  test('are pressed in no question, dialog or start', () => {
    const asking = screens.filter(({ status }) => status === 'waiting' || status === 'starting');
    expect(asking.length).toBeGreaterThan(5);
    expect(files(asking.filter((shown) => letsAny(shown)))).toEqual([]);
    // Neither guard leans on the other.
    const untitled = asking.map((shown) => ({ ...shown, title: '' }));
    expect(files(untitled.filter((shown) => letsAny(shown)))).toEqual([]);
  });

  test('are not pressed at rest, unless the model has printed the very row of work', () => {
    const resting = screens.filter(
      ({ file, status }) => ['idle', 'completed', 'error'].includes(status) && !forged.test(file),
    );
    expect(resting.length).toBeGreaterThan(10);
    expect(files(resting.filter((shown) => letsAny(shown)))).toEqual([]);
  });
});
