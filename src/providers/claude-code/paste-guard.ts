import type { ProviderCapabilities } from '../capabilities.ts';

/**
 * What tells on the screen of Claude Code 2.1.325 that Enter would choose something, and what
 * stands there whenever a conversation's composer is shown: its sign with a no-break space behind
 * it. Prompts in the conversation and other composers have a blank there. Dialogs take the
 * composer's place; a menu stands above it and goes by its text. The model's words are indented by
 * two and match none of the rows that begin further left. No pattern holds `{`, `}`, `#` or `,`,
 * which mean something in a format of tmux.
 */
export const pasteGuardRows = {
  absent: [
    // Panels (/model, /config, /login, the rewind picker) and the approval of a plan: a line across
    // the screen, which a notice may cover but for its end.
    '▔$',
    // Permissions, those of a sub-agent too, and trust: the chosen row, and the keys below.
    '^ ❯ ',
    '^ Esc to cancel',
    '^ Enter to confirm',
    // The model's questions.
    '^Enter to select · ',
    '^ *Do you want to use this API key',
    '^  Search prompts · ',
    '^  Showing detailed transcript',
    // Vim's visual mode keeps the text and does not submit it (0 of 6 texts).
    '^  -- VISUAL',
    // Menus of commands and files.
    '^  ❯ /',
    '^❯\u00a0/',
    '^❯\u00a0(.* )?@',
  ],
  present: ['^❯\u00a0'],
} as const;

export const pasteGuard: NonNullable<ProviderCapabilities['pasteGuard']> = {
  absent: pasteGuardRows.absent.map((regex) => ({ regex })),
  present: pasteGuardRows.present.map((regex) => ({ regex })),
};
