import type { Screen } from '../screen.ts';

/**
 * One terminal, as the multiplexer that it lives in lets a person see and use it. Keys have tmux's
 * names.
 */
export interface LabPane {
  /** Without it, nobody can tell a prompt that stands in the composer from one that was sent. */
  readonly seesCursor: boolean;
  look(): Promise<Screen>;
  /** Of the program in it. */
  pid(): Promise<number>;
  scrollback(): Promise<string>;
  press(key: string): Promise<void>;
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Whether a text that was just pasted has been drawn. */
  isWritten(screen: Screen, text: string): boolean;
  copyMode(): Promise<void>;
  isInCopyMode(): Promise<boolean>;
  leaveCopyMode(): Promise<void>;
  /** As a person closes it, with whatever runs in it. */
  close(): Promise<void>;
}

/** Its last word: the words before it may have been left on the row above. */
export function lastWord(text: string): string {
  return text.slice(-8).trim().split(/\s+/).at(-1) ?? '';
}
