import type { Answer, DialogKind } from './dialogs.ts';
import type { Print } from './noise.ts';

/**
 * What a piece of work may do to the screen while it has the turn. Everything that waits ends when
 * the signal comes.
 */
export interface Turn {
  readonly signal: AbortSignal;
  /** A new answer, with its bullet. */
  say(text: string): void;
  /** One more line of the answer that was begun last. */
  continue(line: string): void;
  /** What is no answer: a call of a tool, what a hook has said. */
  note(text: string): void;
  ask(dialog: DialogKind, about: string): Promise<Answer>;
  /** Past the screen: raw bytes, and the screen again below them. */
  print(work: (print: Print) => Promise<void>): Promise<void>;
  /**
   * The same for bytes that may have changed the terminal's modes: it is put right and painted
   * anew.
   */
  printAnything(work: (print: Print) => Promise<void>): Promise<void>;
  setTitle(title: string): void;
  /** As if it had not started yet, until the turn ends. */
  hideComposer(): void;
}

export type TurnEnd =
  | { readonly outcome: 'done' | 'refused' | 'interrupted' }
  | { readonly outcome: 'failed'; readonly why: string };

export type Work = (turn: Turn) => Promise<TurnEnd>;
