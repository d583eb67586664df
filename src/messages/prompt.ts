import { reveal } from '../shared/reveal.ts';
import { formatSpan } from '../shared/units.ts';
import { type Envelope, envelopeBytes, type NameOf } from './envelope.ts';
import type { Message } from './message.ts';
import { breakMarks, neutraliseLine } from './neutralise.ts';
import { cutParts } from './parts.ts';
import { ownShortId } from './short-id.ts';

/**
 * What the user wrote, as the user's prompt (rule 51): each message under one short line of ours,
 * and nothing that denies it. The first line carries the attempt's mark. Several that wait together
 * are one prompt. `at` is when the attempt was claimed: written again after a restart, the text is
 * the same (rule 12).
 */
export function writePrompt(
  mark: string,
  messages: readonly Message[],
  { at, isOld, nameOf }: PromptFacts,
): Envelope {
  const inOrder = messages.toSorted((a, b) => a.seq - b.seq);
  const pointers = inOrder.filter(isPointer).map(({ id }) => id);
  const blocks = inOrder.map((message, i) => {
    const age = isOld(message) ? [`written ${describeAge(at - message.createdAt)} ago`] : [];
    const facts = [...(i === 0 ? [mark] : []), ...describeReply(message, nameOf), ...age];
    return writeBlock(message, facts);
  });
  return { text: finishText(blocks.join('\n\n')), pointers };
}

export interface PromptFacts {
  /** Wall time. */
  readonly at: number;
  /** It may be about something that is over: its age is told. */
  readonly isOld: (message: Message) => boolean;
  /** How the agent names a message. */
  readonly nameOf: NameOf;
}

/**
 * How every prompt of ours begins; a person's own begins otherwise. A line of this form is a
 * mistake to every shell, so nothing runs where a person has just switched the composer to one.
 */
const opening = '<signalbox ';

/** The mark in the first line of a prompt of ours; undefined for every other text. */
export function findPromptMark(text: string): string | undefined {
  return firstLine.exec(text)?.[1];
}

const firstLine = /^<signalbox (?!mark_)\S+ (mark_\w+)[^>\n]*>\n/;

/**
 * The mark of a text that was pasted as a prompt, by its first line: of the user's words, or of the
 * fenced task for which an agent launched another (rule 51).
 */
export function findPastedMark(text: string): string | undefined {
  return findPromptMark(text) ?? fenceLine.exec(text)?.[1];
}

const fenceLine = /^<signalbox (mark_\w+)>\n/;

/** How many of these, from the first on, one prompt holds; at least one (rule 13). */
export function countFittingPrompts(messages: readonly Message[]): number {
  let room = envelopeBytes - markBytes;
  const end = messages.findIndex((message) => {
    room -= sizeOf(message);
    return room < 0;
  });
  return end < 0 ? messages.length : Math.max(1, end);
}

/** Of the first line, for any mark. */
const markBytes = 130;
/** Of every line: an age, and an answer. */
const factBytes = 90;

function sizeOf(message: Message): number {
  return Buffer.byteLength(writeBlock(message, [])) + factBytes;
}

/** One that is longer than a prompt can be is named, and its body asked for (rule 13). */
function isPointer(message: Message): boolean {
  return Buffer.byteLength(writeBody(message)) > envelopeBytes - markBytes - factBytes;
}

function writeBlock(message: Message, facts: readonly string[]): string {
  const line = `${opening}${[ownShortId(message), ...facts].join(' · ').replace(' · mark_', ' mark_')}>`;
  return `${line}\n${isPointer(message) ? writePointer(message) : writeBody(message)}`;
}

function writePointer(message: Message): string {
  const { body } = message;
  const id = ownShortId(message);
  const size = `${Math.ceil(Buffer.byteLength(body) / 1024)} KB`;
  const parts = cutParts(body).length;
  const how =
    parts === 1
      ? `check_inbox, or in a shell: signalbox inbox show ${id}`
      : `check_inbox, or in a shell, its ${parts} parts one after another: signalbox inbox show ${id} --part 1`;
  return `My message has ${size} and is not shown here. Read it with ${how}`;
}

/**
 * The user's own words: what they name with `@` stays theirs. Nothing in them can be taken for our
 * line or prove an attempt (rule 7), and what is hidden is shown (rule 51f).
 */
function writeBody({ body }: Message): string {
  return breakMarks(reveal(body.replaceAll(/\r\n?/g, '\n')));
}

function describeReply({ replyTo }: Message, nameOf: NameOf): readonly string[] {
  const [first, ...others] = replyTo;
  if (first === undefined) return [];
  const name = neutraliseLine(nameOf(first));
  return [`answers ${others.length === 0 ? name : `${name} and ${others.length} more`}`];
}

/** In whole seconds, from a minute on in whole minutes; a clock may have been set back. */
function describeAge(ms: number): string {
  const unit = ms < 60_000 ? 1000 : 60_000;
  return formatSpan(Math.max(1000, Math.round(ms / unit) * unit));
}

/**
 * Claude Code 2.1.325 cuts white space at the end, and takes Enter behind a backslash for a new
 * line.
 */
function finishText(text: string): string {
  const cut = text.trimEnd();
  return cut.endsWith('\\') ? `${cut}.` : cut;
}
