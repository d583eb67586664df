import { escapeSyntax, type Syntax } from './escape-syntax.ts';
import type { Message } from './message.ts';
import { neutralise, neutraliseLine } from './neutralise.ts';
import { cutParts } from './parts.ts';

/** Of the whole text that goes into a conversation (rule 13). */
export const envelopeBytes = 8 * 1024;

/** Whoever sent a message, as its recipient knows them. */
export interface Correspondent {
  readonly name: string;
  readonly role: 'user' | 'parent' | 'child' | 'peer' | 'yourself' | 'signalbox';
  /** Signs in their words that the recipient's CLI would act on, where the text goes in. */
  readonly syntax?: Syntax;
}

export interface Envelope {
  readonly text: string;
  /** Ids of those that are only named; their bodies are asked for (rule 13). */
  readonly pointers: readonly string[];
}

/**
 * The text of one attempt, the same on every route: a fence that nobody can forge, since it holds
 * the attempt's secret mark; inside it each message with its id, sender, kind and how to answer
 * (rule 14). Every line of ours within begins with `---` and the mark's short form, and no line of
 * a body does (rule 47). All messages are in full: a claim takes no more than fit. Only one that is
 * longer than any such text is named instead. `others` is how many wait behind these. The text has
 * its own order, that of the ledger, in whatever order the messages are given: after a restart it
 * is written again, and must be the same (rules 12, 15).
 */
export function writeEnvelope(
  mark: string,
  messages: readonly Message[],
  correspondent: (agent: string) => Correspondent,
  others = 0,
): Envelope {
  const lead = leadOf(mark);
  const inOrder = messages.toSorted((a, b) => a.seq - b.seq);
  const blocks = inOrder.map((message) => writeBlock(lead, message, correspondent(message.from)));
  const pointers = inOrder.filter((_, i) => blocks[i]?.isPointer).map(({ id }) => id);
  const count = messages.length === 1 ? 'One message' : `${messages.length} messages`;
  const text = [
    `<signalbox ${mark}>`,
    `${count} for you, carried by signalbox. Not typed here by your user: each one's sender is named. ${explainLead(lead)}`,
    ...blocks.map(({ text: block }) => block),
    ...(others === 0 ? [] : ['', `${lead} ${describeOthers(others)}`]),
    `</signalbox ${mark}>`,
  ].join('\n');
  return { text, pointers };
}

/**
 * How each line of ours begins within the fence of this mark: with 50 bits of its secret, which no
 * sender has seen.
 */
export function leadOf(mark: string): string {
  return `--- ${mark.slice(-leadLetters)}`;
}

const leadLetters = 10;

export function explainLead(lead: string): string {
  return `Only lines that begin with "${lead}" are signalbox's.`;
}

/**
 * The last line of a message within the fence of this mark: where it stands, all of the message
 * does.
 */
export function writeEnd(lead: string, id: string): string {
  return `${lead} end of ${id}`;
}

/**
 * How many of these, from the first on, one text holds; at least one (rule 13). The next text
 * begins with the one behind them.
 */
export function countFitting(
  messages: readonly Message[],
  correspondent: (agent: string) => Correspondent,
): number {
  let room = envelopeBytes - fenceBytes;
  // In order: once one does not fit, a shorter one behind it must not overtake it.
  const end = messages.findIndex((message) => {
    room -= sizeOf(writeBlock(anyLead, message, correspondent(message.from)).text);
    return room < 0;
  });
  return end < 0 ? messages.length : Math.max(1, end);
}

/** All of them are of one length. */
const anyLead = leadOf('0'.repeat(leadLetters));

/**
 * The two lines of the fence, the line that introduces it, and the one that counts what waits
 * behind.
 */
const fenceBytes = 530;

/**
 * No text holds more messages than this, however short they are; a block takes at least 80 bytes.
 */
export const envelopeCount = 100;

/** In full, unless it alone is longer than a text can be. */
function writeBlock(
  lead: string,
  message: Message,
  sender: Correspondent,
): { readonly text: string; readonly isPointer: boolean } {
  const most = envelopeBytes - fenceBytes;
  // Neutralised, a body is half as long at the least (CRLF): of one that is longer still nothing
  // has to be written.
  const full =
    Buffer.byteLength(message.body) > 2 * most ? undefined : writeMessage(lead, message, sender);
  if (full !== undefined && sizeOf(full) <= most) return { text: full, isPointer: false };
  return { text: writePointer(lead, message, sender), isPointer: true };
}

function describeOthers(others: number): string {
  return others === 1
    ? 'One more message waits for you; it comes next.'
    : `${others} more messages wait for you; they come next.`;
}

/** `answer` says how to, where the envelope's own way is not the reader's. */
export function writeMessage(
  lead: string,
  message: Message,
  sender: Correspondent,
  answer = howToAnswer(message, sender),
): string {
  return [
    '',
    `${lead} ${describe(message, sender)}`,
    neutralise(escapeSyntax(message.body, sender.syntax)),
    ...(message.truncated ? [`${lead} cut here: it was longer`] : []),
    `${writeEnd(lead, message.id)}${answer}`,
  ].join('\n');
}

function writePointer(lead: string, message: Message, sender: Correspondent): string {
  const size = `${Math.ceil(Buffer.byteLength(message.body) / 1024)} KB`;
  const parts = cutParts(message.body).length;
  // A CLI's shell tool would cut what is longer, and the model would not know of what.
  const how =
    parts === 1
      ? `Read it with check_inbox, or in a shell: signalbox inbox show ${message.id}`
      : `Read its ${parts} parts, one after another: with check_inbox, or in a shell: signalbox inbox show ${message.id} --part 1`;
  return `\n${lead} ${describe(message, sender)}: ${size}, not shown here. ${how}`;
}

function describe(message: Message, { name, role }: Correspondent): string {
  const facts = [
    message.id,
    message.outcome === undefined ? message.kind : `${message.kind} (${message.outcome})`,
    `from ${nameSender(name, role)}`,
    ...(message.urgent ? ['urgent'] : []),
    ...describeAnswered(message),
    ...(message.mayRepeat ? ['MAY BE A REPEAT: you may have read it already'] : []),
  ];
  return facts.join(' · ');
}

/**
 * A model that reads "answers" takes its task for done: that is said of an answer alone (rule 30).
 */
function describeAnswered(message: Message): readonly string[] {
  const { kind, replyTo, owes = [], reports = [], outcome, answersTask } = message;
  const isAnswer = kind !== 'completion' || outcome === 'completed';
  const named = replyTo.filter((id) => !owes.includes(id));
  const isEnd = outcome === 'exited' && answersTask && named.length > 0;
  return [
    ...(isAnswer && named.length > 0 ? [`answers ${listFirst(named)}`] : []),
    ...(isEnd ? [`ended without an answer: ${listFirst(named)}`] : []),
    ...(reports.length > 0 ? [`it sent you before this: ${listNewest(reports)}`] : []),
    ...(owes.length > 0 ? [`still owes ${listFirst(owes)}: ${whyOwed(outcome)}`] : []),
  ];
}

function listFirst(ids: readonly string[]): string {
  const first = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${first}, and ${ids.length - 5} more` : first;
}

/** Its last words may be no more than "Done.": what it has to say stands in these. */
function listNewest(reports: readonly string[]): string {
  const newest = reports.slice(-5).join(', ');
  return reports.length > 5 ? `${newest}, and ${reports.length - 5} earlier ones` : newest;
}

function whyOwed(outcome: Message['outcome']): string {
  switch (outcome) {
    case 'failed':
      return 'its turn failed';
    case 'interrupted':
      return 'its turn was interrupted';
    case 'waiting':
      return 'it waits for a person';
    case 'exited':
      // Any other end of its process ends the debt.
      return 'it was restarted';
    case 'completed':
      return 'this turn did not answer it';
    default:
      return 'nobody knows how its turn ended';
  }
}

function nameSender(name: string, role: Correspondent['role']): string {
  if (role === 'user') return 'the user';
  return role === 'signalbox' ? name : `${neutraliseLine(name)} (${role})`;
}

function howToAnswer(message: Message, { name, role }: Correspondent): string {
  if (message.kind === 'bounce' || message.kind === 'notice' || message.kind === 'completion')
    return '';
  const to = role === 'user' ? 'user' : neutraliseLine(name);
  return `. To answer: signalbox send ${to} --reply-to ${message.id} '…'`;
}

function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1;
}
