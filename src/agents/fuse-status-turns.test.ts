import { describe, expect, test } from 'vitest';
import {
  continueLife,
  hook,
  idleOnce,
  life,
  say,
  screen,
  state,
} from '../../test/fakes/status-life.ts';
import type { AgentStatus } from './agent.ts';
import { createFusionMemory } from './fusion-memory.ts';

describe('E6: before the first trusted word', () => {
  test('an agent is starting, and unknown when it is not ready after 60 s', () => {
    expect(say(life([{}, 0]).view)).toBe('starting (process)');
    const unread = { screen: screen('unknown', 59_000) };
    expect(say(life([{}, 0], [unread, 59_999]).view)).toBe('starting (process)');
    expect(say(life([{}, 0], [unread, 60_000]).view)).toBe('unknown: not ready after 60 s (none)');
    expect(say(life([unread, 60_000], [{ screen: screen('idle', 61_000) }, 61_000]).view)).toBe(
      'idle (screen)',
    );
  });

  test('a first-run question is waiting at once, and idle after it is no turn', () => {
    const asked = life([{ screen: screen('waiting', 100, 'trust') }, 100]);
    expect(say(asked.view)).toBe('waiting: trust (screen)');
    const ready = continueLife(asked.memory, [{ screen: screen('idle', 200) }, 200]);
    expect(say(ready.view)).toBe('idle (screen)');
  });

  test('a spinner of the start-up is no turn; a hook’s or the own state’s word is', () => {
    const spun = life(
      [{ screen: screen('processing', 10) }, 10],
      [{ screen: screen('idle', 90) }, 90],
    );
    expect(say(spun.view)).toBe('idle (screen)');
    const told = life(
      [{ hook: hook('processing', 10) }, 10],
      [{ hook: hook('completed', 90) }, 90],
    );
    expect(say(told.view)).toBe('completed (hook)');
  });

  test('a program about which nothing can be known is unknown from the start, until it exits', () => {
    const blind = { ...screen('unknown', 10), isBlind: true } as const;
    const lived = life([{ screen: blind }, 10]);
    expect(say(lived.view)).toBe('unknown (none)');
    expect(say(continueLife(lived.memory, [{ exit: {} }, 20]).view)).toBe(
      'exited: exit code not known (process)',
    );
  });
});

describe('turns', () => {
  const works = { screen: screen('processing', 1000) };
  test('idle is before the first turn and completed after it', () => {
    expect(
      say(continueLife(idleOnce, [works, 1000], [{ screen: screen('idle', 2000) }, 2000]).view),
    ).toBe('completed (screen)');
  });

  test('a turn that waits for permission and goes on is one turn', () => {
    const { view } = continueLife(
      idleOnce,
      [works, 1000],
      [{ screen: screen('waiting', 1500, 'permission') }, 1500],
      [{ screen: screen('idle', 2000) }, 2000],
    );
    expect(say(view)).toBe('completed (screen)');
  });

  test('an error lasts until the next turn starts, though the screen looks idle again', () => {
    const failed = continueLife(
      idleOnce,
      [works, 1000],
      [{ hook: hook('error', 2000, 'server error'), screen: screen('processing', 1000) }, 2000],
      [{ hook: hook('error', 2000, 'server error'), screen: screen('idle', 2100) }, 2100],
    );
    expect(say(failed.view)).toBe('error: server error (hook)');
    const idle = continueLife(failed.memory, [
      { hook: hook('idle', 60_000), screen: screen('idle', 60_000) },
      60_000,
    ]);
    expect(say(idle.view)).toBe('error: server error (hook)');
    const next = continueLife(idle.memory, [
      { hook: hook('processing', 61_000), screen: screen('idle', 60_000) },
      61_000,
    ]);
    expect(say(next.view)).toBe('processing (hook)');
    const done = continueLife(next.memory, [
      { hook: hook('completed', 62_000), screen: screen('idle', 60_000) },
      62_000,
    ]);
    expect(say(done.view)).toBe('completed (hook)');
  });

  test('the last frame of a failed turn, seen after its hook, is neither a new turn nor forgets the error', () => {
    const end = hook('error', 2000, 'server error');
    const echo = continueLife(
      idleOnce,
      [works, 1000],
      [{ ...works, hook: end }, 2000],
      [{ hook: end, screen: screen('processing', 2010) }, 2010],
    );
    expect(say(echo.view)).toBe('processing (screen)');
    expect(
      say(continueLife(echo.memory, [{ hook: end, screen: screen('idle', 2090) }, 2090]).view),
    ).toBe('error: server error (hook)');
    // A screen that goes on working is a turn of its own.
    const next = continueLife(echo.memory, [
      { hook: end, screen: screen('processing', 2600) },
      2600,
    ]);
    expect(
      say(continueLife(next.memory, [{ hook: end, screen: screen('idle', 3000) }, 3000]).view),
    ).toBe('completed (screen)');
  });

  test('an answer that looks like an error is completed when the turn’s own hook says so', () => {
    const done = hook('completed', 2000);
    const before = continueLife(idleOnce, [works, 1000], [{ screen: screen('error', 1990) }, 1990]);
    expect(say(before.view)).toBe('error (screen)');
    expect(
      say(continueLife(before.memory, [{ hook: done, screen: screen('error', 1990) }, 2000]).view),
    ).toBe('completed (hook)');
    const after = continueLife(
      idleOnce,
      [works, 1000],
      [{ hook: done, screen: screen('error', 2050) }, 2050],
    );
    expect(say(after.view)).toBe('completed (hook)');
  });

  test('a hook of the turn before does not excuse this turn’s error', () => {
    const done = hook('completed', 500);
    const { view } = continueLife(
      idleOnce,
      [{ hook: done }, 500],
      [{ hook: done, ...works }, 1000],
      [{ hook: done, screen: screen('error', 2000) }, 2000],
    );
    expect(say(view)).toBe('error (screen)');
  });

  test('B4: an agent that is found again goes on where the ledger left it', () => {
    const again = (status: AgentStatus, detail?: string) =>
      createFusionMemory({
        startedAt: 0,
        last: {
          status,
          source: 'hook',
          since: 5,
          composer: 'unknown',
          ...(detail ? { detail } : {}),
        },
      });
    const rest = { screen: screen('idle', 100) };
    expect(say(continueLife(again('completed'), [rest, 100]).view)).toBe('completed (screen)');
    expect(say(continueLife(again('processing'), [rest, 100]).view)).toBe('completed (screen)');
    expect(say(continueLife(again('idle'), [rest, 100]).view)).toBe('idle (screen)');
    expect(say(continueLife(again('error', 'status 500'), [rest, 100]).view)).toBe(
      'error: status 500 (hook)',
    );
    expect(say(continueLife(again('starting'), [{}, 100]).view)).toBe('starting (process)');
    expect(continueLife(again('idle'), [rest, 100]).view.since).toBe(5);
  });
});

describe('a failure that a resumed conversation shows', () => {
  const rests = state('idle', 1000);
  const shown = screen('error', 1500, 'api');

  test('is of a life before, where the CLI says that it rests and has had no turn', () => {
    const seenAfter = life([{ ownState: rests }, 1000], [{ ownState: rests, screen: shown }, 1500]);
    expect(say(seenAfter.view)).toBe('idle (state)');
    const early = screen('error', 900, 'api');
    const seenBefore = life([{ screen: early }, 900], [{ ownState: rests, screen: early }, 1000]);
    expect(say(seenBefore.view)).toBe('idle (state)');
  });

  test('counts after a turn of this life, and where the screen alone tells', () => {
    const turn = { ownState: state('processing', 1100) };
    const over = { ownState: state('idle', 1400), screen: shown };
    expect(say(life([{ ownState: rests }, 1000], [turn, 1100], [over, 1500]).view)).toBe(
      'error: api (screen)',
    );
    expect(say(life([{ screen: shown }, 1500]).view)).toBe('error: api (screen)');
  });
});

describe('a word that the screen has refuted is not believed again', () => {
  test('the end of the turn before, when the screen of this one is not recognised', () => {
    const done = hook('completed', 500);
    const works = continueLife(
      idleOnce,
      [{ hook: done }, 500],
      [{ hook: done, screen: screen('processing', 1000) }, 1000],
    );
    const { view } = continueLife(works.memory, [
      { hook: done, screen: screen('unknown', 1500) },
      1500,
    ]);
    expect(say(view)).toBe('unknown: screen not recognised (none)');
  });

  test('the prompt of an interrupted turn, when a menu hides the composer', () => {
    const asked = hook('processing', 500);
    const over = continueLife(
      idleOnce,
      [{ hook: asked }, 500],
      [{ hook: asked, screen: screen('idle', 1100) }, 1100],
    );
    expect(say(over.view)).toBe('completed (screen)');
    const { view } = continueLife(over.memory, [
      { hook: asked, screen: screen('unknown', 1500) },
      1500,
    ]);
    expect(say(view)).toBe('unknown: screen not recognised (none)');
  });

  test('but an own state that works is, after a dialog on the screen', () => {
    const busy = state('processing', 500);
    const asks = continueLife(
      idleOnce,
      [{ ownState: busy }, 500],
      [{ ownState: busy, screen: screen('waiting', 900) }, 900],
    );
    expect(say(asks.view)).toBe('waiting (screen)');
    const { view } = continueLife(asks.memory, [
      { ownState: busy, screen: screen('idle', 1500) },
      1500,
    ]);
    expect(say(view)).toBe('processing (state)');
  });
});

describe('what else a view says', () => {
  test('since changes with the status and its detail, not with the composer or the source', () => {
    const first = continueLife(idleOnce, [{ screen: screen('idle', 10, undefined, 'empty') }, 10]);
    expect(first.view).toMatchObject({ since: 1_000_000, composer: 'empty' });
    const other = continueLife(first.memory, [
      { screen: screen('idle', 20, undefined, 'draft'), ownState: state('idle', 20) },
      20,
    ]);
    expect(other.view).toMatchObject({ since: 1_000_000, composer: 'draft', source: 'state' });
    expect(continueLife(other.memory, [{ screen: screen('processing', 30) }, 30]).view.since).toBe(
      1_000_030,
    );
  });

  test('the composer is unknown when something was printed after the look, and never empty in a dialog', () => {
    const look = screen('idle', 100, undefined, 'empty');
    expect(continueLife(idleOnce, [{ screen: look, lastOutputAt: 100 }, 101]).view.composer).toBe(
      'empty',
    );
    expect(continueLife(idleOnce, [{ screen: look, lastOutputAt: 101 }, 101]).view.composer).toBe(
      'unknown',
    );
    expect(
      continueLife(idleOnce, [{ ownState: state('waiting', 100), screen: look }, 101]).view
        .composer,
    ).toBe('hidden');
    expect(continueLife(idleOnce, [{ exit: {}, screen: look }, 101]).view.composer).toBe('unknown');
    expect(continueLife(idleOnce, [{}, 101]).view.composer).toBe('unknown');
  });
});
