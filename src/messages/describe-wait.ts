import type { BrokenChannel, WaitCode, WaitReason } from './wait-reason.ts';

/**
 * The one place where reasons become sentences (rules 45, 48): without a capital letter and a full
 * stop, since each is shown behind other words. "It" is the agent; of one on its way in, the
 * message.
 */
export function describeWait(reason: WaitReason): string {
  const sentence = sentences[reason.code] as string | ((facts: WaitReason) => string);
  return typeof sentence === 'string' ? sentence : sentence(reason);
}

/** What is broken, and what that means for messages. */
export function describeBroken({
  blocked,
  cannot,
  isTried,
  meanwhile,
  penBlocked,
}: BrokenChannel): string {
  const isAsked = isTried ? 'it is being put up again' : undefined;
  const parts = [
    describeWait(blocked),
    cannot ? describeWait(cannot) : isAsked,
    penBlocked && describeWait(penBlocked),
  ];
  return `${fates[meanwhile]}: ${parts.filter((part) => part !== undefined).join('; ')}`;
}

const fates = {
  deaf: 'it cannot be woken',
  'soon-pasted': 'it cannot be woken for some seconds, then messages go in by paste',
  pasted: 'messages go in by paste meanwhile',
  'soon-told':
    'it cannot be woken for some seconds, then a pasted line tells it that messages wait',
  told: 'a pasted line tells it that messages wait meanwhile',
} as const;

/** Every code, for the schemas. */
export function listWaitCodes(): readonly [WaitCode, ...WaitCode[]] {
  return Object.keys(sentences) as [WaitCode, ...WaitCode[]];
}

type Sentences = {
  readonly [C in WaitCode]: { readonly code: C } extends Extract<WaitReason, { code: C }>
    ? string
    : (facts: Extract<WaitReason, { code: C }>) => string;
};

const sentences: Sentences = {
  'copy-mode': 'a person scrolls in its terminal',
  synchronised:
    'its window sends keys to all of its panes; `set-option -w synchronize-panes off` there ends that',
  'input-off': 'the input of its terminal is switched off; `select-pane -e` there switches it on',

  'earlier-on-its-way': 'an earlier message is on its way in',
  'composer-mode': ({ mode }) =>
    `a person is in its ${mode} mode, where a message would be taken for something else`,
  timed: (facts) =>
    `it ${doing[facts.while]}; the next message has a time to live, which does not count in the CLI's own queue, so it is kept here until the agent rests, and later ones behind it`,
  question: ({ detail = 'dialog' }) => `it waits for a person (${detail}); nothing is typed`,
  starting: 'it is starting',
  exited: 'it has exited; the message is held for its next start',
  'status-unknown': ({ detail = 'no rule matches its screen' }) =>
    `its status is unknown (${detail})`,
  'api-failed': ({ detail }) =>
    detail === undefined ? "the model's API failed" : `the model's API failed: ${detail}`,
  'answer-broke-off': "the model's API failed: an answer broke off",
  'just-broken-off':
    'a person broke off its turn a moment ago; it goes in when the terminal has been quiet for 3 s, after 10 s at the latest',
  'works-until-turn-boundary': 'it works; at its next turn boundary',
  'works-until-rest': 'it works; when it is at rest',
  'budget-spent': ({ budget, limit, until }) => {
    const whose = budget === 'wakes' ? 'its wake budget' : 'its budget for scripts';
    return `${whose} (${limit} turns an hour) is spent; it goes at ${timeOfDay(until)}`;
  },
  'sub-agents': ({ count }) =>
    `${describeSubAgents(count)}, and may ask for a permission at any moment; a prompt waits for that to end, for a minute at most, and then goes as a notice`,
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
  'window-too-small': ({ columns, rows, needsColumns, needsRows }) =>
    `window too small: it is ${columns}×${rows}, and ${needsColumns}×${needsRows} would do`,
  'no-paste': ({ reason }) =>
    `${unpasted[reason] ?? `its composer takes no paste (${reason})`}, so what the user writes goes as a notice`,
  'backend-blind': ({ backend, lacks }) => `${backend} ${unseen[lacks]}, ${nothingPasted}`,
  'backend-mute': ({ backend, version }) =>
    `this version of ${backend}${version === undefined ? '' : `, ${version},`} takes no typing, ${nothingPasted}`,
  'backend-silent': ({ backend, detail }) =>
    `its terminal backend, ${backend}, cannot be asked just now${inBrackets(detail)}`,

  'claim-lost': 'its claim no longer held',
  'paste-lost': 'the connection to its terminal was lost in a paste',
  'paste-unshown': 'its composer does not show what was pasted',
  'paste-out-of-sight': 'what was pasted is out of sight',
  'paste-touched': 'a person typed into what was pasted, which is theirs now',
  'enter-unseen': 'the connection was lost before Enter',
  'enter-lost': 'the connection was lost at Enter',
  'enter-without-effect': 'Enter did not send what was pasted',
  'enter-waits': ({ obstacle }) => `pasted; Enter waits: ${sentences[obstacle]}`,
  'enter-kept-back': ({ obstacle }) =>
    `it stands in the composer, and Enter waits: ${sentences[obstacle]}`,

  'version-too-old': (facts) =>
    `${facts.title} ${facts.version} cannot be woken; ${facts.oldest} or newer can: npm install -g ${facts.package}`,
  'version-unread': ({ title }) =>
    `signalbox could not read the version of this ${title}, so it does not use its queue`,
  'arguments-in-the-way': ({ title, args }) =>
    `${title} started with ${args.join(' and ')} cannot be woken; without ${args.length === 1 ? 'this' : 'these'} it can`,
  'no-queue': ({ title, version }) =>
    `${title}${version === undefined ? '' : ` ${version}`} cannot be woken: its server says that it has no queue`,
  'no-native-route': 'it has no native route',
  'native-blocked': ({ why }) => withoutStop(why),
  'native-refused': ({ why }) => withoutStop(why),
  'native-unsure': ({ why }) => withoutStop(why),
  'native-silent': 'its native route gave no answer',
  'hook-missing': 'no waiting hook of it is connected',
  'hook-killed': 'its waiting hook was killed',
  'hook-orphaned': 'its waiting hook is an orphan',
  'hook-unconfirmed': 'its waiting hook did not confirm',
  'cannot-be-put-up': ({ why }) => withoutStop(why),
  'helper-not-started': ({ helper }) =>
    `its ${helper} cannot be started again, since its environment cannot be read; restart the agent to bring both back`,
  'paste-stands-by': 'only used once the native route has been gone for 15 s',
  'notice-only': 'one line tells it to drain; messages are not pasted',
  failed: ({ why }) => `that failed: ${why}`,

  'just-looked-at': 'it is just being looked at',
  'wakes-nobody': 'it wakes no agent by itself; it goes in with the next message',
  'no-daemon': 'no daemon runs that could carry it; `signalbox up` starts one',
  'no-daemon-to-look': 'no daemon runs that could look where it stands; `signalbox up` starts one',
  'recipient-exited': ({ name, detail }) =>
    `${name} has exited${inBrackets(detail)}; it is held for its next start`,
  'records-asked-later': ({ name }) =>
    `${name} has exited; its records are asked at its next start`,

  unproven: ({ evidence }) => `no proof of it can be had: ${evidence}`,
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
};

function describeSubAgents(count: number | undefined): string {
  if (count === undefined) return 'one or more sub-agents of it work';
  return count === 1 ? 'a sub-agent of it works' : `${count} sub-agents of it work`;
}

const doing = {
  unknown: 'may be at work',
  processing: 'works',
} as const;

const unpasted: Readonly<Record<string, string>> = {
  stash: 'a person has put a draft aside in its composer, which a prompt would bring back',
  'vim-visual': "its composer is in vim's visual mode",
  'untested-version': "signalbox does not know this version's composer",
};

const unseen = {
  both: "shows neither the cursor nor a person's typing",
  cursor: 'does not show the cursor',
  typing: "does not show a person's typing",
} as const;

const nothingPasted = 'so signalbox pastes nothing there';

function inBrackets(detail: string | undefined): string {
  return detail === undefined ? '' : ` (${withoutStop(detail)})`;
}

/** Others' sentences may end as sentences do. */
function withoutStop(words: string): string {
  return words.replace(/\.$/, '');
}

/** On this machine's clock. */
function timeOfDay(at: number): string {
  const date = new Date(at);
  const pad = (n: number): string => String(n).padStart(2, '0');
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}
