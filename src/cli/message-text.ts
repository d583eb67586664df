import { callName } from '../agents/reference.ts';
import { neutralise } from '../messages/neutralise.ts';
import type { InboxList, MessageView, PartView } from '../protocol/messages.ts';
import { systemClock } from '../shared/clock.ts';
import { formatAge, formatSize } from '../shared/units.ts';
import { columnsOf, cutRows, hang } from './fold.ts';
import { formatTable, formatTime, inLine, summarise } from './output.ts';
import { paint } from './screen-codes.ts';

/**
 * Messages as a person reads them, and the model of an agent that runs the command. Their bodies
 * are somebody else's words: nothing in them acts on a terminal or reads as a line of ours
 * (rule 47). For an agent each line of ours begins with a lead that no body knows.
 */

/** What a person calls a message, by its id. */
export type Names = (id: string) => string;

/** The messages that the line above the body names. */
export function listNamed({ replyTo, owes, reports }: MessageView): readonly string[] {
  return [...(replyTo ?? []), ...(owes ?? []), ...(reports ?? [])];
}

export function describeMessage(message: MessageView, names: Names, lead = ''): string {
  const list = (ids: readonly string[]): string => ids.map(names).join(' ');
  const notes = [
    message.kind,
    formatTime(message.createdAt),
    ...(message.urgent ? ['urgent'] : []),
    ...(message.outcome ? [`turn ${message.outcome}`] : []),
    ...(message.replyTo ? [`re ${list(message.replyTo)}`] : []),
    ...(message.owes ? [`still owes ${list(message.owes)}`] : []),
    ...(message.reports ? [`sent before: ${list(message.reports)}`] : []),
    ...(message.reason ? [message.reason] : []),
    ...(message.truncated ? ['truncated'] : []),
  ];
  const head = inLine(`${callName(message.from)} → ${callName(message.to)}`);
  const repeat = message.repeat ? `${lead}${paint('yellow', 'This may be a repeat.')}\n` : '';
  const title = `${lead}${hangTitle(head, inLine(`${nameOf(message)}  ${notes.join(', ')}`))}`;
  const body = neutralise(message.body);
  return `${title}\n${repeat}${body}${body.endsWith('\n') ? '' : '\n'}`;
}

/** On a terminal it is broken between words. */
function hangTitle(head: string, rest: string): string {
  const whole = hang(`${head}  ${rest}`, columnsOf(1), 2);
  if (!whole.startsWith(head)) return whole;
  return paint('bold', head) + paint('dim', whole.slice(head.length));
}

/** With the way to the next part: whoever reads it may be a model. */
export function describePart(message: PartView, names: Names, lead = ''): string {
  const { part } = message;
  const id = inLine(nameOf(message));
  const shown = describeMessage(message, names, lead);
  if (!part) return lead === '' ? shown : `${shown}${lead}end of ${id}\n`;
  const { number, of } = part;
  const more =
    number < of ? `; the next: signalbox inbox show ${id} --part ${number + 1}` : ', the last';
  return `${shown}${lead === '' ? '--- ' : lead}part ${number} of ${of}${more}\n`;
}

/** A message of an older daemon that still runs has no short id. */
function nameOf({ id, short = id }: MessageView): string {
  return short;
}

export function messageTable(list: InboxList, party: 'from' | 'both'): string {
  if (list.messages.length === 0) return 'nothing here\n';
  const rows = list.messages.map((message) => [
    nameOf(message),
    message.state + (message.reason ? `: ${message.reason}` : ''),
    message.kind,
    party === 'from'
      ? callName(message.from)
      : `${callName(message.from)} → ${callName(message.to)}`,
    formatAge(Math.max(0, systemClock.now() - Date.parse(message.createdAt))),
    formatSize(Buffer.byteLength(message.body)),
    summarise(message.body, 48),
  ]);
  const heads = ['ID', 'STATE', 'KIND', party === 'from' ? 'FROM' : 'WAY', 'AGE', 'SIZE', 'TEXT'];
  const more =
    list.remaining > 0 ? `${list.remaining} more; raise --max (a list holds 16 MiB at most)\n` : '';
  return cutRows(formatTable(heads, rows), columnsOf(1)) + more;
}
