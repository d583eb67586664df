import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What an agent's program writes down of itself, before it does anything with it: a kill right
 * after loses nothing.
 */
export type Note =
  | { readonly what: 'started'; readonly pid: number; readonly startedAt: string }
  /** One read of its terminal, as the bytes came. */
  | { readonly what: 'input'; readonly base64: string }
  /** Enter was pressed on this text. */
  | { readonly what: 'prompt'; readonly text: string }
  | { readonly what: 'asked' }
  | { readonly what: 'answered' };

export function journalOf(home: string, agent: string): string {
  return join(home, `${agent}.journal`);
}

export function writeNote(path: string, note: Note): void {
  appendFileSync(path, `${JSON.stringify(note)}\n`);
}

export function readNotes(home: string, agent: string): readonly Note[] {
  const path = journalOf(home, agent);
  if (!existsSync(path)) return [];
  // What follows the last line end was cut off by a kill.
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Note);
}

export function sizeOfJournal(home: string, agent: string): number {
  return statSync(journalOf(home, agent), { throwIfNoEntry: false })?.size ?? 0;
}
