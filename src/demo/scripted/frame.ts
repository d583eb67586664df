import { shorten } from '../../shared/cell-width.ts';
import { type Dialog, dialogTexts } from './dialogs.ts';
import { type Draft, layOutDraft } from './draft.ts';

/**
 * Everything that the live part of the screen shows; the transcript above it is history and never
 * changes.
 */
export interface View {
  readonly mode: 'starting' | 'idle' | 'working';
  /** Turns of the spinner. */
  readonly ticks: number;
  /** Of the last turn, until the next one begins. */
  readonly error: string | undefined;
  readonly dialog: Dialog | undefined;
  readonly draft: Draft;
  /** Prompts that wait for the end of the turn. */
  readonly queued: readonly string[];
  /** Ctrl-C was pressed once; the second one ends the program. */
  readonly isLeaving: boolean;
}

export interface Row {
  readonly text: string;
  readonly style?: 'dim' | 'alarm' | 'accent';
}

export interface Frame {
  readonly rows: readonly Row[];
  /** Undefined: hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | undefined;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const spinner = ['·', '✢', '✳', '✶', '✻', '✽'] as const;
const shownQueue = 3;
/** Rows of a long draft that are shown, as long as the terminal has them. */
const draftRows = 10;

/**
 * The rows below the transcript: status, composer or dialog, footer. The footer is set in by one
 * blank, and everything in the transcript by two or by its sign, so that no answer can look like
 * one. No row is as wide as the terminal, since a cursor that waits behind the last column is moved
 * by the next character in some emulators and not in others.
 */
export function drawFrame(view: View, size: Size): Frame {
  const columns = Math.max(8, size.columns - 1);
  const { rows, cursor } = view.dialog ? drawDialog(view.dialog, columns) : compose(view, size);
  // A terminal of a few rows shows the end: the composer and its footer.
  const cut = Math.max(0, rows.length - size.rows);
  return {
    rows: rows.slice(cut).map((row) => ({ ...row, text: shorten(row.text, columns) })),
    cursor: cursor && cursor.y >= cut ? { x: cursor.x, y: cursor.y - cut } : undefined,
  };
}

function compose(view: View, size: Size): Frame {
  if (view.mode === 'starting')
    return { rows: [{ text: 'Starting…', style: 'dim' }], cursor: undefined };
  const columns = Math.max(8, size.columns - 1);
  const draft = layOutDraft(
    view.draft,
    columns - 2,
    Math.max(1, Math.min(draftRows, size.rows - 8)),
  );
  const above: Row[] = [{ text: '' }, ...drawStatus(view), drawRule(columns)];
  return {
    rows: [
      ...above,
      ...draft.rows.map((text, index) => ({ text: `${index === 0 ? '❯' : ' '} ${text}` })),
      drawRule(columns),
      { text: ` ${writeFooter(view)}`, style: 'dim' },
    ],
    cursor: { x: draft.cursor.x + 2, y: above.length + draft.cursor.y },
  };
}

function drawStatus(view: View): readonly Row[] {
  if (view.mode === 'idle') {
    return view.error === undefined
      ? []
      : [{ text: `✗ API error: ${view.error}`, style: 'alarm' }, { text: '' }];
  }
  const sign = spinner[view.ticks % spinner.length];
  const queued = view.queued
    .slice(0, shownQueue)
    .map((prompt): Row => ({ text: `  + queued: ${prompt.split('\n', 1)[0]}`, style: 'dim' }));
  return [{ text: `${sign} Working…`, style: 'accent' }, ...queued, { text: '' }];
}

/**
 * Any draft, even of blanks alone, takes the hint away: with the cursor's place that proves an
 * empty composer.
 */
function writeFooter(view: View): string {
  if (view.isLeaving) return 'ctrl-c again to exit';
  if (view.mode === 'working') return 'esc to interrupt';
  return view.draft.text === '' ? '? for shortcuts' : 'enter to send · ctrl-u to clear';
}

function drawDialog(dialog: Dialog, columns: number): Frame {
  const { heading, about, question, options } = dialogTexts[dialog.kind];
  return {
    rows: [
      { text: '' },
      drawRule(columns),
      { text: ` ${heading}`, style: 'accent' },
      { text: '' },
      { text: `   ${dialog.about || about}` },
      { text: '' },
      { text: ` ${question}` },
      ...options.map((option, index) => ({
        text: ` ${index === dialog.selected ? '❯' : ' '} ${index + 1}. ${option}`,
      })),
      { text: '' },
      { text: ' enter to confirm · esc to cancel', style: 'dim' },
    ],
    cursor: undefined,
  };
}

function drawRule(columns: number): Row {
  return { text: '─'.repeat(columns), style: 'dim' };
}
