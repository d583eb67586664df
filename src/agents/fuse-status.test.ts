import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  continueLife,
  hook,
  idleOnce,
  report,
  say,
  screen,
  state,
} from '../../test/fakes/status-life.ts';
import type { AgentStatus } from './agent.ts';
import { type FusionInputs, fuse } from './fuse-status.ts';

describe('the table of fusion', () => {
  const t = 10_000;
  const rows: readonly [name: string, inputs: FusionInputs, now: number, expected: string][] = [
    // The process table is above all.
    [
      'a process that ended is exited, whatever the others say',
      { exit: { exitCode: 3 }, ownState: state('processing', t), screen: screen('idle', t) },
      t,
      'exited: exit code 3 (process)',
    ],
    [
      'a killed process names the signal',
      { exit: { exitSignal: 'SIGKILL' } },
      t,
      'exited: signal SIGKILL (process)',
    ],
    // Dialogs.
    [
      'a dialog on the screen is waiting, though the own state says idle later',
      { screen: screen('waiting', t, 'trust'), ownState: state('idle', t + 9) },
      t + 9,
      'waiting: trust (screen)',
    ],
    [
      'a dialog on the screen is waiting, though a hook says completed later',
      { screen: screen('waiting', t, 'permission'), hook: hook('completed', t + 9) },
      t + 9,
      'waiting: permission (screen)',
    ],
    [
      'a dialog that appeared while the own state still says processing is waiting',
      { screen: screen('waiting', t, 'permission'), ownState: state('processing', t - 900) },
      t,
      'waiting: permission (screen)',
    ],
    [
      'a dialog that was answered is over with the first later word of work',
      { screen: screen('waiting', t, 'permission'), ownState: state('processing', t + 30) },
      t + 30,
      'processing (state)',
    ],
    [
      'a hook ends an answered dialog too',
      { screen: screen('waiting', t, 'permission'), hook: hook('processing', t + 30) },
      t + 30,
      'processing (hook)',
    ],
    [
      'of two sources that see a dialog, the one that knows which tells',
      { screen: screen('waiting', t, 'trust'), ownState: state('waiting', t, 'dialog') },
      t,
      'waiting: trust (state)',
    ],
    [
      'own state waiting is waiting, though the screen looks idle',
      { screen: screen('idle', t + 900), ownState: state('waiting', t, 'dialog') },
      t + 900,
      'waiting: dialog (state)',
    ],
    // Own state.
    [
      'own state processing is processing, though the screen looks idle later',
      { ownState: state('processing', t), screen: screen('idle', t + 5000) },
      t + 5000,
      'processing (state)',
    ],
    [
      'own state processing is not ended by a hook: another hook may have the turn go on',
      { ownState: state('processing', t), hook: hook('completed', t + 10) },
      t + 10,
      'processing (state)',
    ],
    [
      'own state idle and a later screen that works is processing',
      { ownState: state('idle', t), screen: screen('processing', t + 1) },
      t + 1,
      'processing (screen)',
    ],
    [
      'own state idle and an earlier screen that works is idle',
      { ownState: state('idle', t), screen: screen('processing', t) },
      t,
      'idle (state)',
    ],
    [
      'own state idle gives way to a newer hook at once',
      { ownState: state('idle', t), hook: hook('processing', t + 1), screen: screen('idle', t) },
      t + 1,
      'processing (hook)',
    ],
    [
      'own state idle decides again when the hook’s turn has not come within 500 ms',
      {
        ownState: state('idle', t),
        hook: hook('processing', t + 1),
        screen: screen('idle', t + 501),
      },
      t + 501,
      'idle (state)',
    ],
    [
      'own state processing gives way to a newer question’s hook at once',
      { ownState: state('processing', t), hook: hook('waiting', t + 1, 'permission') },
      t + 1,
      'waiting: permission (hook)',
    ],
    [
      'an own state that is lost leaves the others to decide',
      { hook: hook('processing', t), screen: screen('processing', t) },
      t,
      'processing (hook)',
    ],
    // Hooks against the screen.
    [
      'a prompt’s hook holds against an older idle screen',
      { hook: hook('processing', t), screen: screen('idle', t - 5) },
      t + 5000,
      'processing (hook)',
    ],
    [
      'a prompt’s hook holds against an idle screen of the same moment',
      { hook: hook('processing', t), screen: screen('idle', t) },
      t + 5000,
      'processing (hook)',
    ],
    [
      'a prompt’s hook holds against an idle screen 499 ms later',
      { hook: hook('processing', t), screen: screen('idle', t + 499) },
      t + 499,
      'processing (hook)',
    ],
    [
      'a prompt’s hook is overruled by an idle screen 500 ms later: an interrupted turn has no hook',
      { hook: hook('processing', t), screen: screen('idle', t + 500) },
      t + 500,
      'idle (screen)',
    ],
    [
      'a question’s hook holds until the dialog is drawn',
      { hook: hook('waiting', t, 'permission'), screen: screen('processing', t + 200) },
      t + 200,
      'waiting: permission (hook)',
    ],
    [
      'a question’s hook is overruled by a later screen that works on',
      { hook: hook('waiting', t, 'permission'), screen: screen('processing', t + 600) },
      t + 600,
      'processing (screen)',
    ],
    [
      'a question’s hook is overruled by a later idle screen',
      { hook: hook('waiting', t, 'permission'), screen: screen('idle', t + 600) },
      t + 600,
      'idle (screen)',
    ],
    [
      'a turn’s end by hook is overruled at once by a later screen that works',
      { hook: hook('completed', t), screen: screen('processing', t + 1) },
      t + 1,
      'processing (screen)',
    ],
    [
      'a turn’s end by hook holds against an earlier screen',
      { hook: hook('completed', t), screen: screen('processing', t - 20) },
      t,
      'completed (hook)',
    ],
    [
      'a hook stands where the screen is not recognised',
      { hook: hook('processing', t), screen: screen('unknown', t + 900) },
      t + 900,
      'processing (hook)',
    ],
    // The screen alone, and nothing.
    ['a screen alone: processing', { screen: screen('processing', t) }, t, 'processing (screen)'],
    ['a screen alone: idle', { screen: screen('idle', t) }, t, 'idle (screen)'],
    [
      'a screen alone: completed, where it shows that',
      { screen: screen('completed', t) },
      t,
      'completed (screen)',
    ],
    [
      'a screen alone: error',
      { screen: screen('error', t, 'status 401') },
      t,
      'error: status 401 (screen)',
    ],
    [
      'a screen that is not recognised is unknown, not what it was',
      { screen: screen('unknown', t) },
      t,
      'unknown: screen not recognised (none)',
    ],
    ['no source at all is unknown', {}, t, 'unknown: screen not recognised (none)'],
  ];
  test.each(rows)('%s', (_, inputs, now, expected) => {
    expect(say(continueLife(idleOnce, [inputs, now]).view)).toBe(expected);
  });
});

test('never at rest while the own state works or waits, nor while the screen shows a dialog or later work', () => {
  const status = fc.constantFrom<AgentStatus>(
    'idle',
    'processing',
    'waiting',
    'completed',
    'error',
    'unknown',
    'starting',
  );
  const at = fc.integer({ min: 0, max: 3000 });
  const said = (source: 'hook' | 'state') =>
    fc.option(
      fc.tuple(status, at).map(([s, when]) => report(source, s, when)),
      { nil: undefined },
    );
  const seen = fc.option(
    fc.tuple(status, at).map(([s, when]) => screen(s, when)),
    { nil: undefined },
  );
  const step = fc.record({ hook: said('hook'), ownState: said('state'), screen: seen });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      let memory = idleOnce;
      for (const { hook: h, ownState: s, screen: v } of steps) {
        const inputs = {
          ...(h ? { hook: h } : {}),
          ...(s ? { ownState: s } : {}),
          ...(v ? { screen: v } : {}),
        };
        const fused = fuse(memory, inputs, { wall: 0, monotonicMs: 4000 });
        memory = fused.memory;
        if (!['idle', 'completed', 'error'].includes(fused.view.status)) continue;
        expect(s?.status).not.toBe('processing');
        expect(s?.status).not.toBe('waiting');
        expect(v?.status).not.toBe('waiting');
        const latest = Math.max(s?.at ?? -1, h?.at ?? -1);
        if (v?.status === 'processing') expect(v.at).toBeLessThanOrEqual(latest);
      }
    }),
    { numRuns: 1000 },
  );
});
