import { expect, test } from 'vitest';
import type { AgentStatus } from '../../agents/agent.ts';
import { ToldQuestion } from './told-question.ts';

/** What is heard and seen, at which moment, and whether the question is open then. */
function open(approvals: 'state' | 'hook' | 'screen' = 'hook') {
  let now = 0;
  const question = new ToldQuestion({ monotonicMs: () => now }, { approvals });
  return {
    told: (status?: AgentStatus) => question.told(status && { status }),
    seen: (status: AgentStatus) => question.seen({ status, composer: 'unknown', rule: 'a' }),
    isOpen: (at = now) => {
      now = at;
      return question.isOpen;
    },
  };
}

test('rule 39: a question is open from its CLI’s word on, whatever the screen shows before it is drawn', () => {
  const { told, seen, isOpen } = open();
  expect(isOpen()).toBe(false);
  told('waiting');
  seen('processing');
  expect(isOpen(5200)).toBe(true);
});

test.each(['processing', 'completed', 'idle', 'error'] as const)(
  'rule 39: its CLI’s later word ends it: %s',
  (status) => {
    const { told, isOpen } = open();
    told('waiting');
    told();
    expect(isOpen(20)).toBe(true);
    told(status);
    expect(isOpen(40)).toBe(false);
  },
);

test('rule 39: a CLI that says nothing of an answer has it ended by a screen that has shown it', () => {
  const { told, seen, isOpen } = open();
  told('waiting');
  seen('waiting');
  expect(isOpen()).toBe(true);
  seen('processing');
  expect(isOpen()).toBe(false);
  // The next one was not drawn yet.
  told('waiting');
  seen('processing');
  expect(isOpen()).toBe(true);
});

test('rule 39: one that says so itself is believed over a screen that is drawn anew', () => {
  const { told, seen, isOpen } = open('state');
  told('waiting');
  seen('waiting');
  seen('processing');
  expect(isOpen(10)).toBe(true);
});

test('a question of which nothing more is heard keeps nobody from interrupting for more than 20 s', () => {
  const { told, isOpen } = open();
  told('waiting');
  expect([isOpen(19_999), isOpen(20_000)]).toEqual([true, false]);
});
