import { describe, expect, test } from 'vitest';
import { continueLife, hook, idleOnce, say, screen, state } from '../../test/fakes/status-life.ts';

describe('rule 44: the CLI’s own state is not refuted for good by one later screen', () => {
  const rests = state('completed', 1000);
  const late = continueLife(
    idleOnce,
    [{ ownState: state('processing', 500) }, 500],
    [{ ownState: rests }, 1000],
    [{ ownState: rests, screen: screen('processing', 1700) }, 1700],
  );
  const shows = (shown: ReturnType<typeof screen> | undefined, at: number): string => {
    const inputs = { ownState: rests, ...(shown ? { screen: shown } : {}) };
    return say(continueLife(late.memory, [inputs, at]).view);
  };

  test('a late spinner makes it working', () => {
    expect(say(late.view)).toBe('processing (screen)');
  });

  test('for 5 s after it a doubt falls towards work, though the screen cannot be read', () => {
    expect(shows(screen('unknown', 1800), 1800)).toBe('processing (screen)');
    expect(shows(screen('unknown', 6600), 6699)).toBe('processing (screen)');
    expect(shows(undefined, 6699)).toBe('processing (screen)');
  });

  test('after 5 s the own state wins over a screen that tells nothing', () => {
    expect(shows(screen('unknown', 1800), 6700)).toBe('completed (state)');
    expect(shows(undefined, 6700)).toBe('completed (state)');
  });

  test('a screen that still shows work after 5 s wins, and for as long as it does', () => {
    for (const at of [3000, 6700, 60_000, 600_000]) {
      expect(shows(screen('processing', at), at)).toBe('processing (screen)');
      expect(shows(screen('processing', at), at + 20_000)).toBe('processing (screen)');
    }
  });

  test('the 5 s begin with the last screen that showed work', () => {
    const { memory } = continueLife(
      late.memory,
      [{ ownState: rests, screen: screen('processing', 6000) }, 6000],
      [{ ownState: rests, screen: screen('unknown', 6100) }, 6100],
    );
    const at = (now: number): string =>
      say(continueLife(memory, [{ ownState: rests, screen: screen('unknown', 6100) }, now]).view);
    expect(at(10_999)).toBe('processing (screen)');
    expect(at(11_000)).toBe('completed (state)');
  });

  test('a screen at rest ends the question at once', () => {
    expect(shows(screen('idle', 1800), 1800)).toBe('completed (state)');
  });

  test('a new word of the own state ends the question at once', () => {
    const inputs = { ownState: state('idle', 1900), screen: screen('unknown', 1800) };
    expect(say(continueLife(late.memory, [inputs, 1900]).view)).toBe('completed (state)');
  });

  test('rule 48: a screen that cannot be read in a small window says so, and no own state is refuted by it', () => {
    const size = { has: { columns: 30, rows: 8 }, needs: { columns: 40, rows: 12 } };
    const small = { ...screen('unknown', 9000), tooSmall: size };
    expect(say(continueLife(late.memory, [{ screen: small }, 9000]).view)).toBe(
      'unknown: window too small: it is 30×8, and 40×12 would do (none)',
    );
    const told = { screen: small, ownState: state('idle', 8000) };
    expect(say(continueLife(late.memory, [told, 9000]).view)).toBe('completed (state)');
  });

  test('an own state that is lost meanwhile wins nothing', () => {
    const inputs = { screen: screen('unknown', 9000) };
    expect(say(continueLife(late.memory, [inputs, 9000]).view)).toBe(
      'unknown: screen not recognised (none)',
    );
  });

  test('the CLI’s own word to its backend is such a state, too', () => {
    const native = { status: 'idle', isOwnWord: true, source: 'backend', at: 1000 } as const;
    const { memory } = continueLife(
      idleOnce,
      [{ native }, 1000],
      [{ native, screen: screen('processing', 1700) }, 1700],
    );
    const view = (now: number): string =>
      say(continueLife(memory, [{ native, screen: screen('unknown', 1800) }, now]).view);
    expect(view(1800)).toBe('processing (screen)');
    expect(view(6700)).toBe('completed (backend)');
  });

  test('a hook’s word of an end is an event, not a state: once refuted it stays so', () => {
    const done = hook('completed', 1000);
    const { memory } = continueLife(
      idleOnce,
      [{ hook: done }, 1000],
      [{ hook: done, screen: screen('processing', 1700) }, 1700],
    );
    const inputs = { hook: done, screen: screen('unknown', 60_000) };
    expect(say(continueLife(memory, [inputs, 60_000]).view)).toBe(
      'unknown: screen not recognised (none)',
    );
  });
});
