import type { ScreenGuard } from '../../terminals/writing.ts';
import type { InterruptKey } from '../capabilities.ts';

/**
 * What tells on the screen of Claude Code 2.1.325 that Enter would choose something, and what
 * stands there whenever a conversation's composer is shown: its sign with a no-break space behind
 * it. Prompts in the conversation and other composers have a blank there. Dialogs take the
 * composer's place; a menu stands above it and goes by its text. The model's words are indented by
 * two and match none of the rows that begin further left.
 */
export const pasteGuard: ScreenGuard = {
  absent: [
    // Panels (/model, /config, /login, the rewind picker) and the approval of a plan: a line across
    // the screen, which a notice may cover but for its end.
    { regex: '▔$' },
    // Permissions, those of a sub-agent too, and trust: the chosen row, and the keys below.
    { regex: '^ ❯ ' },
    { regex: '^ Esc to cancel' },
    { regex: '^ Enter to confirm' },
    // The model's questions.
    { regex: '^Enter to select · ' },
    { regex: '^ *Do you want to use this API key' },
    { regex: '^  Search prompts · ' },
    { regex: '^  Showing detailed transcript' },
    // One key opens it on an empty composer: what is sent there begins another session.
    { regex: '^❯ describe a task for a new session' },
    // Vim's visual mode keeps the text and does not submit it (0 of 6 texts).
    { regex: '^  -- VISUAL' },
    // Menus of commands and files.
    { regex: '^  ❯ /' },
    { regex: '^❯\u00a0/' },
    { regex: '^❯\u00a0(.* )?@' },
  ],
  present: [{ regex: '^❯\u00a0' }],
};

/** The spinner stands at the left edge, where the model's words never do. */
const spinner = { regex: '^(·|✢|✳|✶|✻|✽|\\*) .+(…| · Retrying in )' };
const inserting = { regex: '^  -- INSERT --' };

/**
 * At rest two Escapes open a list of earlier prompts: one is pressed. With vim's keys the first one
 * leaves the insert mode and ends no turn.
 */
export const interruptKeys: readonly InterruptKey[] = [
  { absent: pasteGuard.absent, present: [spinner, inserting], isSpared: true },
  { absent: [...pasteGuard.absent, inserting], present: [spinner] },
];
