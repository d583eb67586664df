import type { AgentStatus } from '../../agents/agent.ts';
import type { Composer, WindowSize } from '../../agents/status.ts';
import type { VersionRange } from './version-range.ts';

/**
 * What a provider's screens mean, as data. The first rule whose conditions all hold decides; so
 * dialogs stand first, then what shows work, then errors, then idle. `docs/detectors.md` describes
 * the file it is read from.
 */
export interface Detector {
  readonly provider: string;
  /** The versions of the CLI that the rules were written for. */
  readonly versions: string;
  /** The version they were tested with: stands in where the running one is not known. */
  readonly tested: string;
  /** The smallest window in which they were tested: in a smaller one the CLI may draw less. */
  readonly smallest?: WindowSize;
  readonly regions: ReadonlyMap<string, Region>;
  readonly rules: readonly StatusRule[];
  readonly composer: readonly ComposerRule[];
}

export interface StatusRule extends RuleBody {
  readonly status: DetectedStatus;
  readonly detail?: string;
  /** The screen shows that these work beside the conversation. */
  readonly beside?: 'sub-agents';
}

export interface ComposerRule extends RuleBody {
  readonly is: Composer;
  /** What is typed there is no prompt: `shell`. */
  readonly mode?: string;
  /** Why nothing can be pasted there however long it stands so: `vim-normal`. */
  readonly noPaste?: string;
}

interface RuleBody {
  readonly name: string;
  /** The rule is for these versions of the CLI alone. */
  readonly versions?: VersionRange;
  /** All of them must hold. */
  readonly when: readonly Condition[];
  /** None of them may hold, and each must be known not to. */
  readonly unless: readonly Condition[];
  /** The file it was read from. */
  readonly source: string;
}

/** What a screen can show; that a program ended is never the screen's to say. */
export const detectedStatuses = [
  'starting',
  'idle',
  'processing',
  'waiting',
  'completed',
  'error',
] as const satisfies readonly AgentStatus[];
export type DetectedStatus = (typeof detectedStatuses)[number];

/**
 * A block of rows that the program draws itself, found from the bottom of the screen: what the
 * model prints stands above it. It ends with the last row that matches `to` (or the screen's end)
 * and begins with the last one above that matches `from`.
 */
export interface Region {
  readonly from: RegExp;
  readonly to?: RegExp;
  /** Its last row must be among so many non-empty rows of the screen's end. */
  readonly bottom?: number;
}

export type Condition = RowCondition | TitleCondition | RegionCondition | CursorUnknown;

interface TitleCondition {
  readonly kind: 'title';
  readonly title: RegExp;
}

/** The region is there. */
interface RegionCondition {
  readonly kind: 'region';
  readonly region: string;
}

/**
 * Nobody tells where the cursor is: so it is in herdr. For rules that must do without what others
 * ask of it.
 */
interface CursorUnknown {
  readonly kind: 'cursor-unknown';
}

/** Rows that follow each other and match one pattern each. */
export interface RowCondition {
  readonly kind: 'rows';
  readonly rows: readonly RegExp[];
  readonly place: Place;
  readonly cursor?: CursorCondition;
  readonly style?: StyleCondition;
}

export interface Place {
  /** Relative to a region; the whole screen without one. */
  readonly relation?: 'in' | 'above' | 'below';
  readonly region?: string;
  /** Only the last so many non-empty rows of it. */
  readonly bottom?: number;
  /** Only beneath the last row of it that matches. */
  readonly after?: RegExp;
}

/**
 * Where the cursor stands: on which of the matched rows (from 1), in which column (from 0), or on
 * the first letter of a text.
 */
export interface CursorCondition {
  readonly row: number;
  readonly column?: number;
  readonly on?: RegExp;
}

export const textStyles = { bold: 1, dim: 2, italic: 3, inverse: 7 } as const;
export type TextStyle = keyof typeof textStyles;

/**
 * How a text can be asked to be drawn. `one-colour`: every letter in the same colour, which is not
 * the terminal's own.
 */
export const drawings = ['bold', 'dim', 'italic', 'inverse', 'one-colour'] as const;
export type Drawing = TextStyle | 'one-colour';

/** All of the text that matches, on one of the matched rows, is drawn so. */
export interface StyleCondition {
  readonly text: RegExp;
  readonly is: Drawing;
}
