import { revealLine } from '../shared/reveal.ts';

/** How a terminal is asked to show a notification; `bell`: it can only ring. */
export type RingForm = 'bell' | 'osc-9' | 'osc-777';

/**
 * Terminals that are known to take one of them, by how they name themselves: TERM_PROGRAM, TERM,
 * and their answer to XTVERSION, which tmux keeps as `client_termtype`. kitty refuses OSC 777
 * (kovidgoyal/kitty#1474). All others get the bell alone: some print what they do not know.
 */
const terminals: readonly Known[] = [
  { form: 'osc-9', program: /^iTerm\.app$/, type: /^iTerm2 / },
  { form: 'osc-9', term: /^xterm-kitty$/, type: /^kitty\(/ },
  { form: 'osc-777', program: /^ghostty$/, term: /^xterm-ghostty$/, type: /^ghostty / },
  { form: 'osc-777', program: /^WezTerm$/, type: /^WezTerm / },
  { form: 'osc-777', term: /^foot(?:-extra)?$/, type: /^foot\(/ },
];

interface Known {
  readonly form: RingForm;
  readonly program?: RegExp;
  readonly term?: RegExp;
  readonly type?: RegExp;
}

/** What a terminal is called by. */
export interface TerminalNames {
  readonly program?: string | undefined;
  readonly term?: string | undefined;
  readonly type?: string | undefined;
}

export function findForm({ program = '', term = '', type = '' }: TerminalNames): RingForm {
  const known = terminals.find(
    (one) => one.program?.test(program) || one.term?.test(term) || one.type?.test(type),
  );
  return known?.form ?? 'bell';
}

const bell = '\u0007';

/** Rings. */
export function writeBell(): string {
  return bell;
}

/**
 * Asks for a notification; empty for a terminal that takes none. Every control character of the
 * text is shown by its number, so that none ends the sequence; a `;` would begin another field.
 * The text begins with a word of ours, since ConEmu takes `9;4;…` for a progress bar.
 */
export function writeNotification(form: RingForm, text: string, isInTmux: boolean): string {
  const line = revealLine(text).replaceAll(';', ',');
  const code = codeOf(form, line);
  if (code === '' || !isInTmux) return code;
  // tmux hands on what stands in this, with each ESC doubled.
  return `\u001bPtmux;${code.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
}

function codeOf(form: RingForm, line: string): string {
  switch (form) {
    case 'osc-9':
      return `\u001b]9;signalbox: ${line}${bell}`;
    case 'osc-777':
      return `\u001b]777;notify;signalbox;${line}${bell}`;
    case 'bell':
      return '';
  }
}
