import { expect, test } from 'vitest';
import type { Actor } from '../delivery/actor.ts';
import type { Carried } from '../delivery/carried.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import type { Decision } from '../delivery/pick-route.ts';
import type { Recipient } from '../delivery/recipient.ts';
import type { NoticeGiven } from '../delivery/routes/notice.ts';
import type { Paste } from '../delivery/routes/paste.ts';
import type { findWait } from '../fleet/find-wait.ts';
import type { putUpChannel } from '../fleet/put-up-channel.ts';
import { describeBroken, describeWait, listWaitCodes } from './describe-wait.ts';
import type { WaitCode, WaitReason } from './wait-reason.ts';

/** Every reason that has facts, with some of them and without. */
const withFacts: readonly (readonly [WaitReason, string])[] = [
  [
    { code: 'composer-mode', mode: 'shell' },
    'a person is in its shell mode, where a message would be taken for something else',
  ],
  [
    { code: 'no-paste', reason: 'stash' },
    'a person has put a draft aside in its composer, which a prompt would bring back, so what the user writes goes as a notice',
  ],
  [
    { code: 'no-paste', reason: 'odd' },
    'its composer takes no paste (odd), so what the user writes goes as a notice',
  ],
  [{ code: 'sub-agents', count: 1 }, `a sub-agent of it works, ${subAgents()}`],
  [{ code: 'sub-agents', count: undefined }, `one or more sub-agents of it work, ${subAgents()}`],
  [{ code: 'sub-agents', count: 3 }, `3 sub-agents of it work, ${subAgents()}`],
  [{ code: 'timed', while: 'unknown' }, `it may be at work; ${timed()}`],
  [{ code: 'timed', while: 'processing' }, `it works; ${timed()}`],
  [{ code: 'question', detail: 'trust' }, 'it waits for a person (trust); nothing is typed'],
  [{ code: 'question', detail: undefined }, 'it waits for a person (dialog); nothing is typed'],
  [{ code: 'status-unknown', detail: 'a blank screen' }, 'its status is unknown (a blank screen)'],
  [
    { code: 'status-unknown', detail: undefined },
    'its status is unknown (no rule matches its screen)',
  ],
  [{ code: 'api-failed', detail: 'HTTP 529' }, "the model's API failed: HTTP 529"],
  [{ code: 'api-failed', detail: undefined }, "the model's API failed"],
  [
    { code: 'budget-spent', budget: 'wakes', limit: 60, until: noon() },
    'its wake budget (60 turns an hour) is spent; it goes at 12:05',
  ],
  [
    { code: 'budget-spent', budget: 'scripts', limit: 1, until: noon() },
    'its budget for scripts (1 turns an hour) is spent; it goes at 12:05',
  ],
  [
    { code: 'backend-blind', backend: 'herdr', lacks: 'both' },
    "herdr shows neither the cursor nor a person's typing, so signalbox pastes nothing there",
  ],
  [
    { code: 'backend-blind', backend: 'herdr', lacks: 'cursor' },
    'herdr does not show the cursor, so signalbox pastes nothing there',
  ],
  [
    { code: 'backend-blind', backend: 'herdr', lacks: 'typing' },
    "herdr does not show a person's typing, so signalbox pastes nothing there",
  ],
  [
    { code: 'window-too-small', columns: 30, rows: 8, needsColumns: 40, needsRows: 12 },
    'window too small: it is 30×8, and 40×12 would do',
  ],
  [
    { code: 'backend-mute', backend: 'herdr', version: '0.6.8' },
    'this version of herdr, 0.6.8, takes no typing, so signalbox pastes nothing there',
  ],
  [
    { code: 'backend-mute', backend: 'herdr', version: undefined },
    'this version of herdr takes no typing, so signalbox pastes nothing there',
  ],
  [
    { code: 'backend-silent', backend: 'tmux', detail: 'it did not answer.' },
    'its terminal backend, tmux, cannot be asked just now (it did not answer)',
  ],
  [
    { code: 'backend-silent', backend: 'tmux', detail: undefined },
    'its terminal backend, tmux, cannot be asked just now',
  ],
  [
    { code: 'enter-waits', obstacle: 'copy-mode' },
    'pasted; Enter waits: a person scrolls in its terminal',
  ],
  [
    { code: 'enter-kept-back', obstacle: 'copy-mode' },
    'it stands in the composer, and Enter waits: a person scrolls in its terminal',
  ],
  [
    {
      code: 'version-too-old',
      title: 'Codex',
      version: '0.140.0',
      oldest: '0.148.0',
      package: '@openai/codex',
    },
    'Codex 0.140.0 cannot be woken; 0.148.0 or newer can: npm install -g @openai/codex',
  ],
  [
    { code: 'version-unread', title: 'Codex' },
    'signalbox could not read the version of this Codex, so it does not use its queue',
  ],
  [
    { code: 'arguments-in-the-way', title: 'Codex', args: ['-p'] },
    'Codex started with -p cannot be woken; without this it can',
  ],
  [
    { code: 'no-queue', title: 'Codex', version: '0.170.0' },
    'Codex 0.170.0 cannot be woken: its server says that it has no queue',
  ],
  [
    { code: 'no-queue', title: 'Codex', version: undefined },
    'Codex cannot be woken: its server says that it has no queue',
  ],
  [
    { code: 'native-blocked', why: 'Codex shows no conversation yet.' },
    'Codex shows no conversation yet',
  ],
  [{ code: 'native-refused', why: 'HTTP 500' }, 'HTTP 500'],
  [{ code: 'native-unsure', why: 'the socket closed' }, 'the socket closed'],
  [{ code: 'cannot-be-put-up', why: 'it has no settings file' }, 'it has no settings file'],
  [
    { code: 'helper-not-started', helper: 'app-server' },
    'its app-server cannot be started again, since its environment cannot be read; restart the agent to bring both back',
  ],
  [{ code: 'failed', why: 'EMFILE' }, 'that failed: EMFILE'],
  [
    { code: 'recipient-exited', name: 'worker', detail: 'exit code 1' },
    'worker has exited (exit code 1); it is held for its next start',
  ],
  [
    { code: 'recipient-exited', name: 'worker', detail: undefined },
    'worker has exited; it is held for its next start',
  ],
  [
    { code: 'records-asked-later', name: 'worker' },
    'worker has exited; its records are asked at its next start',
  ],
  [
    { code: 'unproven', evidence: 'records of 9.9.9' },
    'no proof of it can be had: records of 9.9.9',
  ],
];

/** The others. */
const plain = {
  'copy-mode': 'a person scrolls in its terminal',
  synchronised:
    'its window sends keys to all of its panes; `set-option -w synchronize-panes off` there ends that',
  'input-off': 'the input of its terminal is switched off; `select-pane -e` there switches it on',
  'earlier-on-its-way': 'an earlier message is on its way in',
  starting: 'it is starting',
  exited: 'it has exited; the message is held for its next start',
  'answer-broke-off': "the model's API failed: an answer broke off",
  'works-until-turn-boundary': 'it works; at its next turn boundary',
  'works-until-rest': 'it works; when it is at rest',
  'just-broken-off':
    'a person broke off its turn a moment ago; it goes in when the terminal has been quiet for 3 s, after 10 s at the latest',
  gathering: 'answers of others may come with it',
  'pull-only': 'it has no way in but its own inbox commands',
  'told-to-drain': 'it was told to drain',
  'told-later': 'it is told to drain after a while',
  'not-at-rest': 'it is not at rest any more',
  'status-changed': 'its status has changed',
  'process-ended': 'its process has ended',
  'person-typing': 'a person is typing in its terminal',
  'person-typed': 'a person typed in its terminal, or came to look, just before the paste',
  'screen-covered':
    'its screen has changed at the last moment: a menu or dialog may cover its composer',
  draft: 'a draft stands in its composer, and is left alone',
  'composer-covered': 'a menu or dialog covers its composer',
  'composer-unproven': 'its composer is not proven empty',
  'composer-not-ours': 'its composer may hold what a person typed',
  'screen-unsteady': 'its screen is not steady',
  'terminal-gone': 'its terminal is gone',
  'terminal-ended': 'its terminal is gone, or its program has ended',
  'terminal-unconnected': 'there is no connection to its terminal',
  'typing-refused': 'its terminal takes no typing from us',
  'one-command-refused': 'its terminal does not take this text and Enter in one command',
  'claim-lost': 'its claim no longer held',
  'paste-lost': 'the connection to its terminal was lost in a paste',
  'paste-unshown': 'its composer does not show what was pasted',
  'paste-out-of-sight': 'what was pasted is out of sight',
  'paste-touched': 'a person typed into what was pasted, which is theirs now',
  'enter-unseen': 'the connection was lost before Enter',
  'enter-lost': 'the connection was lost at Enter',
  'enter-without-effect': 'Enter did not send what was pasted',
  'no-native-route': 'it has no native route',
  'native-silent': 'its native route gave no answer',
  'hook-missing': 'no waiting hook of it is connected',
  'hook-killed': 'its waiting hook was killed',
  'hook-orphaned': 'its waiting hook is an orphan',
  'hook-unconfirmed': 'its waiting hook did not confirm',
  'paste-stands-by': 'only used once the native route has been gone for 15 s',
  'notice-only': 'one line tells it to drain; messages are not pasted',
  'just-looked-at': 'it is just being looked at',
  'wakes-nobody': 'it wakes no agent by itself; it goes in with the next message',
  'no-daemon': 'no daemon runs that could carry it; `signalbox up` starts one',
  'no-daemon-to-look': 'no daemon runs that could look where it stands; `signalbox up` starts one',
  'queued-in-left-conversation':
    'it waits in the queue of a conversation that the terminal shows no more',
  'queue-paused':
    "it waits in the CLI's own queue, which stands still after an interruption; it goes on when the terminal has been quiet for 10 s",
  'queued-behind-turn': "it waits in the CLI's own queue, behind the turn that runs",
  'landed-in-left-conversation': 'it is in a conversation that the terminal shows no more',
  'landed-interrupted':
    'a person interrupted it; it is in the conversation, and the next answer there proves it',
  landed: 'it is in the conversation; no answer has followed yet',
  'put-back':
    'a person interrupted it before any output, and the CLI put it back into the composer; it is not in the conversation, and theirs to send or delete',
  'taken-out':
    'a person interrupted it, and the CLI took it out of the conversation; it is offered again after the next turn',
  'draft-may-be-it':
    'a draft stands in the composer; if it is this message, a person put it back there or holds it',
  'no-record-yet': 'no record of it has been found yet',
} as const;

test.each(withFacts)('%o has its sentence', (reason, sentence) => {
  expect(describeWait(reason)).toBe(sentence);
});

test.each(Object.entries(plain))('%s has its sentence', (code, sentence) => {
  expect(describeWait({ code } as WaitReason)).toBe(sentence);
});

test('rule 45: every code is in one of the tables, and no sentence is that of two codes', () => {
  const codes = [...withFacts.map(([{ code }]) => code), ...Object.keys(plain)];
  expect([...new Set(codes)].toSorted()).toEqual(listWaitCodes().toSorted());
  expect(new Set(Object.values(plain)).size).toBe(Object.keys(plain).length);
});

test('every sentence can stand behind other words: no full stop, no capital letter of its own', () => {
  for (const sentence of Object.values(plain)) expect(sentence).toMatch(/^(?:[a-z]|Enter).*[^.]$/);
});

test('rule 53: a broken channel says what comes of messages, what is gone and why it stays so', () => {
  const what = { blocked: { code: 'hook-killed' }, cannot: undefined, isTried: true } as const;
  expect(describeBroken({ ...what, meanwhile: 'deaf' })).toBe(
    'it cannot be woken: its waiting hook was killed; it is being put up again',
  );
  const cannot = { code: 'terminal-gone' } as const;
  const penBlocked = { code: 'typing-refused' } as const;
  expect(describeBroken({ ...what, cannot, penBlocked, meanwhile: 'deaf' })).toBe(
    'it cannot be woken: its waiting hook was killed; its terminal is gone; its terminal takes no typing from us',
  );
  expect(describeBroken({ ...what, isTried: false, meanwhile: 'soon-pasted' })).toBe(
    'it cannot be woken for some seconds, then messages go in by paste: its waiting hook was killed',
  );
  expect(describeBroken({ ...what, isTried: false, meanwhile: 'pasted' })).toBe(
    'messages go in by paste meanwhile: its waiting hook was killed',
  );
});

/**
 * Where delivery and the fleet say why something waits, a bare sentence does not fit: `tsc` fails
 * here, as soon as one of these could be a string.
 */
type Said =
  | Actor['waitsFor' | 'obstacle' | 'broken']
  | ReturnType<Actor['placeOf']>
  | ReturnType<Delivery['waitsFor' | 'obstacle' | 'broken' | 'placeOf']>
  | Extract<Decision, { wait: unknown }>['wait']
  | Exclude<Carried, { outcome: 'taken' }>['reason']
  | NoticeGiven['waitsFor']
  | Awaited<ReturnType<Paste['look']>>
  | Recipient['pen']
  | ReturnType<NonNullable<Recipient['native']>['blocked']>
  | ReturnType<typeof findWait>
  | Awaited<ReturnType<typeof putUpChannel>>;
type IsNever<T> = [T] extends [never] ? true : false;
const noneIsText: IsNever<Extract<Said, string>> = true;

test('a reason is never a bare sentence in delivery and fleet', () => {
  expect(noneIsText).toBe(true);
  // @ts-expect-error A sentence is no reason.
  const sentence: WaitReason = 'it is starting';
  expect(listWaitCodes()).not.toContain(sentence as unknown as WaitCode);
});

function subAgents(): string {
  return 'and may ask for a permission at any moment; a prompt waits for that to end, for a minute at most, and then goes as a notice';
}

function timed(): string {
  return "the next message has a time to live, which does not count in the CLI's own queue, so it is kept here until the agent rests, and later ones behind it";
}

/** By the clock of this machine, since that is how people read it. */
function noon(): number {
  return new Date(2026, 0, 2, 12, 5).getTime();
}
