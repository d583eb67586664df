import { describe, expect, test } from 'vitest';
import { hook, screen, state } from '../../test/fakes/status-life.ts';
import type { AgentStatus } from './agent.ts';
import { type FusionInputs, fuse, type NativeReport } from './fuse-status.ts';
import { createFusionMemory } from './fusion-memory.ts';

const native = (status: AgentStatus, at: number, isOwnWord = false): NativeReport => ({
  status,
  at,
  isOwnWord,
  source: 'backend',
});

describe('the backend’s own idea of an agent (B12)', () => {
  const t = 10_000;
  const idle = { screen: screen('idle', t) };
  const rows: readonly [name: string, inputs: FusionInputs, expected: string][] = [
    ['the CLI’s own word makes it idle', { native: native('idle', t, true) }, 'idle (backend)'],
    [
      'the CLI’s own word of work stands against an idle screen',
      { ...idle, native: native('processing', t - 5000, true) },
      'processing (backend)',
    ],
    [
      'the CLI’s own state is nearer than what it told the backend',
      { ownState: state('processing', t), native: native('idle', t, true) },
      'processing (state)',
    ],
    [
      'a match of screens alone never makes it idle, and the reason is said',
      { native: native('idle', t) },
      'unknown: the terminal’s backend says idle, from screens alone (none)',
    ],
    [
      'a match of screens says no more than our own look where both say idle',
      { ...idle, native: native('idle', t) },
      'idle (screen)',
    ],
    [
      'a match of screens is a doubt about an idle screen',
      { ...idle, native: native('processing', t) },
      'processing (backend)',
    ],
    [
      'so is a dialog that only the backend knows',
      { ...idle, native: native('waiting', t) },
      'waiting (backend)',
    ],
    [
      'the word of a hook that came later ends the doubt',
      { hook: hook('idle', t), native: native('processing', t - 1000) },
      'idle (hook)',
    ],
    [
      'work that the backend sees well after the hook’s word of rest is work',
      { hook: hook('idle', t), native: native('processing', t + 900) },
      'processing (backend)',
    ],
    [
      'work that a hook tells is not made idle by a match',
      { hook: hook('processing', t), native: native('idle', t + 900) },
      'processing (hook)',
    ],
  ];
  test.each(rows)('%s', (_, inputs, expected) => {
    const memory = { ...createFusionMemory({ startedAt: 0 }), isReady: true };
    const { view } = fuse(memory, inputs, { wall: t + 1000, monotonicMs: t + 1000 });
    const { status, detail, source } = view;
    expect(`${status}${detail ? `: ${detail}` : ''} (${source})`).toBe(expected);
  });

  test('before it was ready, a match of screens is the program’s own start and no turn', () => {
    const memory = createFusionMemory({ startedAt: 0 });
    const moment = { wall: t, monotonicMs: t };
    const { view, memory: next } = fuse(memory, { native: native('processing', t) }, moment);
    expect(view.status).toBe('starting');
    expect(next.hadTurn).toBe(false);
  });
});
