/**
 * What a person has made of a living terminal, for which keys would not reach its program, or not
 * it alone (rule 45). `copy-mode`: the person scrolls, searches or chooses in it. `synchronised`:
 * keys go to other terminals too. `input-off`: keys are thrown away.
 */
export type KeyObstacle = 'copy-mode' | 'synchronised' | 'input-off';

/**
 * Which part of a write's guard did not hold, so that nothing was written. `typed`: a person has
 * pressed a key there, or come to look, since the look. `covered`: the screen is not what it must
 * be.
 */
export type GuardBreach = 'typed' | 'covered';

/**
 * `gone`: the terminal is not that one any more, or its program ended; nothing was written. An
 * obstacle or a breach of the guard: nothing was written. `unsent`: there is no connection; nothing
 * was written. `unknown`: the connection was lost in between; all, some or nothing of it may have
 * arrived. `refused`: this backend cannot type that, or not under that guard, and has not.
 */
export type Written =
  | 'written'
  | 'gone'
  | KeyObstacle
  | GuardBreach
  | 'unsent'
  | 'unknown'
  | 'refused';

export interface WriteOptions {
  /**
   * Enter follows the bytes in the same command, under the same conditions: both reach the program,
   * or neither does. `refused` where a backend cannot do that, or not with so many bytes.
   */
  readonly withEnter?: boolean;
  readonly guard?: WriteGuard;
  /**
   * A person asked for this key, at this wall time: from then on looks tell it as a key of theirs
   * (`Look.humanKeyAt`, `Look.typingStamp`), to a later daemon as well.
   */
  readonly personAt?: number;
}

/**
 * What the backend asks in the very command that writes, so that nothing can come in between
 * (rules 24, 45). Each part that is there must hold.
 */
export interface WriteGuard {
  /** `Look.typingStamp` of the look by which it was decided: nobody has typed there since. */
  readonly untypedSince?: string;
  /** Where the cursor stood at that look. */
  readonly cursor?: { readonly x: number; readonly y: number };
  readonly screen?: ScreenGuard;
}

/** Each pattern is looked for in every row of the visible screen. */
export interface ScreenGuard {
  readonly absent: readonly (ScreenPattern | PassedPattern)[];
  readonly present?: readonly ScreenPattern[];
  /** What must not stand in the terminal's title, which some programs set before they draw. */
  readonly absentTitle?: { readonly regex: string };
}

/**
 * Words that stand in a row as they are, or a POSIX extended regular expression. Our own constants,
 * or patterns of the user's own file that have passed `providers/guard-pattern.ts`: never a text
 * that an agent or a program wrote.
 */
export type ScreenPattern = string | { readonly regex: string };

/** Of a dialog that stays on the screen once it is over, and `unless` is the row that says so. */
interface PassedPattern {
  readonly regex: string;
  readonly unless: ScreenPattern;
}

/** What people at a terminal are told. `paste-left`: a message of ours stands in its composer. */
export type PeopleNotice = 'paste-left';

/** Bytes that lie beside a terminal. One of these is called, once. */
export interface PreparedWrite {
  write(guard?: WriteGuard): Promise<Written>;
  drop(): void;
}
