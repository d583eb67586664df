import { limits } from '../messages/message.ts';
import { stripSequences } from '../shared/strip-sequences.ts';
import { formatSize, formatSpan } from '../shared/units.ts';

export interface RunFacts {
  readonly title: string;
  readonly exitCode: number;
  /** Of the signal that ended it. */
  readonly signal?: string;
  /** Why it could not be started. */
  readonly failure?: string;
  readonly durationMs: number;
  /** The last of what it wrote, to both streams, in the order it came. */
  readonly tail: Buffer;
  /** Of all that it wrote, in bytes. */
  readonly written: number;
}

/**
 * What a run's completion says: exit code, duration and the tail of the output, in no more than a
 * completion may have.
 */
export function describeRun(facts: RunFacts): string {
  const { title, failure, durationMs, tail, written } = facts;
  const how = failure ?? `${facts.signal ? `${facts.signal}, ` : ''}exit code ${facts.exitCode}`;
  const head = `${title}: ${how}, after ${formatSpan(durationMs)}.`;
  if (written === 0) return failure === undefined ? `${head}\nIt wrote nothing.` : head;
  const intro = (part: string): string => `${head}\n${part} of its output:\n\n`;
  const text = cleanOutput(tail, written > tail.length);
  // Of the longer one, so that the shorter fits too.
  const room =
    limits.completion - Buffer.byteLength(intro(`The last 00.0KiB of ${formatSize(written)}`));
  const shown = takeEnd(text, room);
  const isAll = written <= tail.length && shown.length === text.length;
  const size = formatSize(Buffer.byteLength(shown));
  return `${intro(isAll ? 'All' : `The last ${size} of ${formatSize(written)}`)}${shown}`;
}

/** A wrapper that was killed tells nothing, and nobody else can. */
export function describeLost(title: string): string {
  return `${title}: nobody knows how it ended. Its \`signalbox run-task\` was killed, or the machine went down; the command itself may still run.`;
}

/** As text without escape sequences; what is left of control characters is shown, not obeyed. */
function cleanOutput(bytes: Buffer, isCut: boolean): string {
  // Not in the middle of a character, nor of a sequence: from the next line, where one is near.
  const newline = isCut ? bytes.indexOf(10) : -1;
  const from = newline >= 0 && newline < bytes.length / 2 ? newline + 1 : 0;
  const text = new TextDecoder().decode(bytes.subarray(from));
  return stripSequences(text).trimEnd().replace(controls, showControl);
}

const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function showControl(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

/** The last `maxBytes` of UTF-8, and no half character. */
function takeEnd(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let from = Math.max(0, bytes.length - maxBytes);
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.toString('utf8', from);
}
