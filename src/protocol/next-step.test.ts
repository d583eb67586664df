import { expect, test } from 'vitest';
import { describePlace } from '../delivery/describe-place.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { Explanation } from './messages.ts';
import { tellNext } from './next-step.ts';
import { viewWait } from './view-wait.ts';

/** An injected message, as a daemon that looked at its records tells of it. */
function injected(place: WaitReason | undefined): Explanation {
  const at = '2026-01-01T00:00:00.000Z';
  const party = { id: 'agt_1', name: 'worker' };
  return {
    message: {
      ...{ id: 'msg_1', kind: 'message', from: party, to: party, state: 'injected', body: 'x' },
      ...{ truncated: false, urgent: false, standing: 'notice', createdAt: at, attempts: 1 },
    },
    history: [],
    attempts: [{ number: 1, at, route: 'native', epoch: 1, outcome: 'injected' }],
    ...viewWait(place),
  };
}

const atRest = { status: 'completed', atRestSince: 1, composer: 'empty' } as const;

test('rule 42: explain says that a person interrupted it, and that it is in the conversation', () => {
  const place = describePlace({ found: 'landed', evidence: '', isInterrupted: true }, atRest);
  expect(tellNext(injected(place)).join('\n')).toContain(
    'Now: a person interrupted it; it is in the conversation, and the next answer there proves it.',
  );
});

test('rules 42, 50: so it does where nothing was answered yet in a conversation, and no form of its records is known', () => {
  const finding = { found: 'landed', evidence: 'not recognised', isUnrecognised: true } as const;
  const code = (more: object) => describePlace({ ...finding, ...more }, atRest)?.code;
  expect(code({ isInterrupted: true })).toBe('landed-interrupted');
  expect(code({})).toBe('unproven');
  expect(code({ isInterrupted: true, isLeft: true })).toBe('unproven');
});

test('rule 51d: explain says that an interrupted prompt stands in the composer, and is not in the conversation', () => {
  const found = { found: 'landed', evidence: '', isTakenBackByEsc: true } as const;
  const draft = { ...atRest, composer: 'draft' } as const;
  expect(tellNext(injected(describePlace(found, draft))).join('\n')).toContain(
    'Now: a person interrupted it before any output, and the CLI put it back into the composer; it is not in the conversation, and theirs to send or delete.',
  );
  const other = [
    // Work, a failure, and a composer that nobody has put anything into.
    describePlace(found, { status: 'processing', composer: 'draft' }),
    describePlace(found, { ...draft, status: 'error' }),
    describePlace(found, atRest),
    // A CLI that keeps it in its conversation.
    describePlace({ found: 'landed', evidence: '' }, draft),
  ];
  expect(other.map((place) => place?.code)).toEqual(['landed', 'landed', 'landed', 'landed']);
});

test('rules 22, 42: explain says that the CLI’s own queue is paused, and when it goes on', () => {
  const place = describePlace({ found: 'held', evidence: '' }, atRest);
  expect(tellNext(injected(place)).join('\n')).toMatch(
    /Now: it waits in the CLI's own queue, which stands still after an interruption; it goes on when/,
  );
});

test('rule 51d: explain says of a prompt that was taken back that a person did that, and not that its sender was told', () => {
  const story = injected(undefined);
  const message = { ...story.message, state: 'dead', reason: 'withdrawn' } as const;
  expect(tellNext({ ...story, message })).toEqual([
    'A person took it back at the terminal, so signalbox does not send it again.',
  ]);
});
