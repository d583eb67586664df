import { inLine, writeError } from './output.ts';

/**
 * What a person should know of an agent that has just been started, such as what was left out. One
 * line each.
 */
export function reportNotes(notes: readonly string[] | undefined): void {
  for (const note of notes ?? []) writeError(`signalbox: ${inLine(note)}`);
}
