import { escapeSyntax, type Syntax } from './escape-syntax.ts';
import type { Message } from './message.ts';
import { neutralise, neutraliseLine } from './neutralise.ts';
import { cutParts } from './parts.ts';
import { ownShortId } from './short-id.ts';

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
 * the attempt's secret mark; inside it each message with its number, kind and sender, and once how
 * to answer (rule 14). Every header within begins with `---` and the mark's short form, and no line
 * of a body does (rule 47); a body ends where the next line of ours begins. All messages are in
 * full: a claim takes no more than fit. Only one that is longer than any such text is named
 * instead. `others` is how many wait behind these. The text has its own order, that of the ledger,
 * in whatever order the messages are given: after a restart it is written again, and must be the
 * same (rules 12, 15). `nameOf` gives the short ids of messages that these are about.
 *
 * It is read by models, which pay for each letter: one short message costs at most 200 characters
 * of ours, a further one 90. A text that goes into the CLI's queue behind one that is still unread
 * is a further one, too (`isFurther`): what introduces our lines stands in that one, and its first
 * header right below its own fence, where nobody else can write.
 */
export function writeEnvelope(
  mark: string,
  messages: readonly Message[],
  correspondent: (agent: string) => Correspondent,
  others = 0,
  nameOf: NameOf = keepId,
  isFurther = false,
): Envelope {
  const lead = leadOf(mark);
  const inOrder = messages.toSorted((a, b) => a.seq - b.seq);
  const blocks = inOrder.map((message) =>
    writeBlock(lead, message, correspondent(message.from), nameOf),
  );
  const pointers = inOrder.filter((_, i) => blocks[i]?.isPointer).map(({ id }) => id);
  const answer = inOrder.some(wantsAnswer) ? ` ${howToAnswer}` : '';
  const body = blocks.map(({ text: block }) => block).join('\n\n');
  const text = [
    `<signalbox ${mark}>`,
    ...(isFurther ? [body.slice(lead.length + 1)] : [`${introduce(mark)}${answer}`, body]),
    ...(others === 0 ? [] : [`${lead} ${describeOthers(others)}`]),
    closeFence(mark),
  ].join('\n');
  return { text, pointers };
}

/** The short id by which the reader of a text knows a message. */
export type NameOf = (id: string) => string;
const keepId: NameOf = (id) => id;

/** The last line of every text. */
export function closeFence(mark: string): string {
  return `</signalbox ${shortMark(mark)}>`;
}

/** The last letters of a mark: 40 bits of its secret, which no sender has seen. */
export function shortMark(mark: string): string {
  return mark.slice(-shortLetters);
}

const shortLetters = 8;

/** How each line of ours begins within the fence of this mark. */
export function leadOf(mark: string): string {
  return `--- ${shortMark(mark)}`;
}

/** What stands in the fence, as short as it can be said: every text has it. */
function introduce(mark: string): string {
  return `Mail, not typed here. ${nameLines(mark)}`;
}

/** By what our lines within the fence of this mark are known. */
export function nameLines(mark: string): string {
  return `Our lines have ${shortMark(mark)}.`;
}

const howToAnswer = "Answer: signalbox send NAME --reply-to ID '…'";

export function explainLead(lead: string): string {
  return `Only lines that begin with "${lead}" are signalbox's.`;
}

/**
 * How the last line of a message begins in the result of a tool, within the fence of this mark:
 * where it stands, all of the message does. The dot ends its number, which may begin a longer one.
 */
export function writeEnd(lead: string, message: Pick<Message, 'id' | 'number'>): string {
  return `${lead} end of ${ownShortId(message)}.`;
}

/**
 * How many of these, from the first on, one text holds; at least one (rule 13). The next text
 * begins with the one behind them.
 */
export function countFitting(
  messages: readonly Message[],
  correspondent: (agent: string) => Correspondent,
  nameOf: NameOf = keepId,
): number {
  let room = envelopeBytes - fenceBytes;
  // In order: once one does not fit, a shorter one behind it must not overtake it.
  const end = messages.findIndex((message) => {
    const { text } = writeBlock(anyLead, message, correspondent(message.from), nameOf);
    room -= Buffer.byteLength(text) + betweenBytes;
    return room < 0;
  });
  return end < 0 ? messages.length : Math.max(1, end);
}

/** All of them are of one length. */
const anyLead = leadOf('0'.repeat(shortLetters));

/** A message ends its line, and an empty one stands between two. */
const betweenBytes = 2;

/**
 * The two lines of the fence, the line that introduces it, and the one that counts what waits
 * behind: 33, 21, 95 and at most 68 bytes, and the ends of their lines.
 */
const fenceBytes = 224;

/**
 * No text holds more messages than this, however short they are; a block takes at least 35 bytes.
 */
export const envelopeCount = 220;

/** In full, unless it alone is longer than a text can be. */
function writeBlock(
  lead: string,
  message: Message,
  sender: Correspondent,
  nameOf: NameOf,
): { readonly text: string; readonly isPointer: boolean } {
  const most = envelopeBytes - fenceBytes;
  // Neutralised, a body is half as long at the least (CRLF): of one that is longer still nothing
  // has to be written.
  const full =
    Buffer.byteLength(message.body) > 2 * most
      ? undefined
      : writeMessage(lead, message, sender, nameOf);
  if (full !== undefined && Buffer.byteLength(full) + betweenBytes <= most)
    return { text: full, isPointer: false };
  return { text: writePointer(lead, message, sender, nameOf), isPointer: true };
}

function describeOthers(others: number): string {
  return others === 1
    ? 'One more message waits for you; it comes next.'
    : `${others} more messages wait for you; they come next.`;
}

/** Its header and its body; the next line of ours ends it. */
export function writeMessage(
  lead: string,
  message: Message,
  sender: Correspondent,
  nameOf: NameOf = keepId,
): string {
  return [
    `${lead} ${describe(message, sender, nameOf)}`,
    neutralise(escapeSyntax(message.body, sender.syntax)),
    ...(message.truncated ? [`${lead} cut here: it was longer`] : []),
  ].join('\n');
}

function writePointer(
  lead: string,
  message: Message,
  sender: Correspondent,
  nameOf: NameOf,
): string {
  const size = `${Math.ceil(Buffer.byteLength(message.body) / 1024)} KB`;
  const parts = cutParts(message.body).length;
  const show = `signalbox inbox show ${ownShortId(message)}`;
  // A CLI's shell tool would cut what is longer, and the model would not know of what.
  const how =
    parts === 1
      ? `Read it with check_inbox, or in a shell: ${show}`
      : `Read its ${parts} parts, one after another: with check_inbox, or in a shell: ${show} --part 1`;
  return `${lead} ${describe(message, sender, nameOf)}: ${size}, not shown here. ${how}`;
}

function describe(message: Message, sender: Correspondent, nameOf: NameOf): string {
  const { kind, outcome } = message;
  const what = outcome === undefined ? kind : `${kind} (${outcome})`;
  const facts = [
    `${ownShortId(message)} ${what} from ${nameSender(sender)}`,
    ...(message.urgent ? ['urgent'] : []),
    ...describeAnswered(message, nameOf),
    ...(message.mayRepeat ? ['MAY BE A REPEAT: you may have read it already'] : []),
  ];
  return facts.join(' · ');
}

/** The messages that a header names beside its own: what `nameOf` is asked for. */
export function listNamed({ replyTo, owes = [], reports = [] }: Message): readonly string[] {
  return [...replyTo, ...owes, ...reports];
}

/**
 * A model that reads "answers" takes its task for done: that is said of an answer alone (rule 30).
 */
function describeAnswered(message: Message, nameOf: NameOf): readonly string[] {
  const { kind, replyTo, owes = [], reports = [], outcome, answersTask } = message;
  const isAnswer = kind !== 'completion' || outcome === 'completed';
  // A short id holds a name, which somebody chose.
  const name: NameOf = (id) => neutraliseLine(nameOf(id));
  const named = replyTo.filter((id) => !owes.includes(id)).map(name);
  const isEnd = outcome === 'exited' && answersTask && named.length > 0;
  const owed = owes.map(name);
  return [
    ...(isAnswer && named.length > 0 ? [`answers ${listFirst(named)}`] : []),
    ...(isEnd ? [`ended without an answer: ${listFirst(named)}`] : []),
    ...(reports.length > 0 ? [`it sent you before this: ${listNewest(reports.map(name))}`] : []),
    ...(owed.length > 0 ? [`still owes ${listFirst(owed)}: ${whyOwed(outcome)}`] : []),
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

function nameSender({ name, role }: Correspondent): string {
  if (role === 'user') return 'the user';
  return role === 'signalbox' ? name : `${neutraliseLine(name)} (${role})`;
}

export function wantsAnswer({ kind }: Pick<Message, 'kind'>): boolean {
  return kind === 'message' || kind === 'task';
}
