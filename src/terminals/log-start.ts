import { endedNote, noteBegin } from './output-log.ts';

/**
 * From where the end of a long log can be drawn. Its last bytes are enough for lines that scroll
 * by; a program on the second screen paints only what changes, so of one that stood there already
 * the drawing begins where it came. `kept` may have lost its own beginning by rotation.
 */
export function cutToDraw(kept: Buffer, mostBytes: number): Buffer {
  const from = kept.length - mostBytes;
  if (from <= 0) return kept;
  const came = findLast(kept, enters, from);
  const left = findLast(kept, leaves, from);
  if (came > left) return kept.subarray(came);
  const end = kept.subarray(skipTorn(kept, from));
  // When it came is no longer in the log: that it leaves says where it stood.
  const isInside = left < 0 && isBefore(findFirst(end, leaves), findFirst(end, enters));
  return isInside ? Buffer.concat([Buffer.from('\x1b[?1049h'), end]) : end;
}

/**
 * Each note of ours stands where bytes may be missing: it ends the sequence that lacks its end. The
 * note of an end leaves the second screen, too: a program that prints its leave and ends at once
 * may lose it (tmux 3.3a), and the note would be written over its last screen.
 */
export function settleNotes(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (;;) {
    const at = bytes.indexOf(noteBegin, from + (parts.length > 0 ? 1 : 0));
    if (at < 0) return Buffer.concat([...parts, bytes.subarray(from)]);
    const isEnd = bytes.subarray(at, at + endBegin.length).equals(endBegin);
    parts.push(bytes.subarray(from, at), isEnd ? leaveAtEnd : endSequence);
    from = at;
  }
}

const endBegin = Buffer.from(`${noteBegin}${endedNote}`);
/** CAN. */
const endSequence = Buffer.from('\x18');
const leaveAtEnd = Buffer.from('\x18\x1b[?1049l');

/** The modes by which programs go to the second screen and back. */
export const switches: readonly (number | readonly number[])[] = [47, 1047, 1049];

const enters = switches.map((mode) => `\x1b[?${mode}h`);
const leaves = switches.map((mode) => `\x1b[?${mode}l`);

/** A sequence or a character may begin before `from`: its rest would be shown as words. */
function skipTorn(bytes: Buffer, from: number): number {
  const near = bytes.subarray(from, from + mostTorn);
  const [sequence, newline] = [near.indexOf(0x1b), near.indexOf(0x0a)];
  if (isBefore(sequence, newline)) return from + sequence;
  return newline < 0 ? from : from + newline + 1;
}

/** A title or a link is shorter. */
const mostTorn = 64 * 1024;

function isBefore(one: number, other: number): boolean {
  return one >= 0 && (other < 0 || one < other);
}

function findFirst(bytes: Buffer, texts: readonly string[]): number {
  const found = texts.map((text) => bytes.indexOf(text)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** The last one that begins before `end`. */
function findLast(bytes: Buffer, texts: readonly string[], end: number): number {
  return Math.max(...texts.map((text) => bytes.lastIndexOf(text, end - 1)));
}
