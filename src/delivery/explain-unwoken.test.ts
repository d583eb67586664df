import { expect, test } from 'vitest';
import type { WaitReason } from '../messages/wait-reason.ts';
import { describeUnwoken, explainUnwoken, waitsWhile } from './explain-unwoken.ts';
import type { Pen, Ways } from './recipient.ts';

const pen: Pen = { look: async () => 'gone', write: async () => 'gone' };
const none: WaitReason = { code: 'typing-refused' };
const ways: Ways = {
  routes: ['turn-boundary', 'paste', 'pull'],
  provable: ['turn-boundary', 'paste'],
  nativeDuring: [],
  pastes: 'message',
  hasWaitingHook: false,
};

test('a message wakes an agent at rest by its native route or by a paste', () => {
  expect(explainUnwoken({ ways, pen })).toBeUndefined();
  const native: Ways = { ...ways, routes: ['native', 'pull'] };
  expect(explainUnwoken({ ways: native, pen: none })).toBeUndefined();
  const stopgap: Ways = { ...native, takesOver: 'paste' };
  expect(explainUnwoken({ ways: stopgap, pen: none })).toBeUndefined();
  const told: Ways = { ...ways, routes: ['paste', 'pull'], pastes: 'notice' };
  expect(explainUnwoken({ ways: told, pen })).toBeUndefined();
});

test('rule 48: without either it says why, until when messages wait, and what helps', () => {
  const unwoken = explainUnwoken({ ways, pen: none });
  expect(unwoken && describeUnwoken('gem', unwoken)).toBe(
    'gem is not woken while it is at rest: its terminal takes no typing from us. ' +
      'Messages wait until a turn that a person begins in its terminal ends. ' +
      'To have it woken, remove it and launch it with --terminal tmux.',
  );
});

test('rule 48: a program without turn boundaries takes its messages itself', () => {
  const pulls: Ways = { ...ways, routes: ['paste', 'pull'] };
  const unwoken = explainUnwoken({ ways: pulls, pen: none });
  expect(unwoken?.until).toBe(
    'Messages wait until it takes them itself, with `signalbox inbox drain`',
  );
  expect(unwoken?.help('gem')).toContain('To have it woken');
  // tmux wakes no program of which nobody knows the composer: nothing is promised.
  const told = explainUnwoken({ ways: { ...pulls, pastes: 'notice' }, pen: none });
  expect(told?.help('gem')).toMatch(
    /^With --terminal tmux .* where config.yaml describes its composer$/,
  );
});

test('what comes while it works waits for the end of that turn alone, where there are turn boundaries', () => {
  const atBoundaries = explainUnwoken({ ways, pen: none });
  const byPull = explainUnwoken({ ways: { ...ways, routes: ['paste', 'pull'] }, pen: none });
  if (!atBoundaries || !byPull) throw new Error('neither is woken');
  expect(waitsWhile('processing', atBoundaries)).toBe(false);
  expect(waitsWhile('processing', byPull)).toBe(true);
  for (const status of ['starting', 'idle', 'completed', 'waiting', 'error', 'unknown'] as const) {
    expect(waitsWhile(status, atBoundaries)).toBe(true);
  }
  expect(waitsWhile('exited', byPull)).toBe(false);
});
