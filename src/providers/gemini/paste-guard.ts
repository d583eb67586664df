import type { ScreenGuard } from '../../terminals/writing.ts';

/** A frame in the place of the composer: a list to choose from, a panel, a question. */
export const pasteGuard: ScreenGuard = {
  absent: [
    { regex: '^ ?│ {1,4}● {1,2}[0-9]{1,2}\\. ([^T]|T[^r]|Tr[^u])' },
    // Trusted, it starts anew below that question, which stays where it was (0.61.0).
    {
      regex: '^ ?│ {1,4}● {1,2}[0-9]{1,2}\\. Tru',
      unless: { regex: '^ Gemini CLI is restarting to apply the trust changes' },
    },
    { regex: '^ ?│ {1,4}\\(.*[Ee]sc to ' },
    { regex: '^│ Enter to (select|submit) · .*Esc to cancel' },
  ],
  present: [{ regex: '^ [>*] {3}Type your message or @path/to/file$' }],
};

/**
 * The spinner's row. At rest two Escapes empty the composer: one is pressed. Its title tells of a
 * question, too.
 */
export const interruptKeys: readonly ScreenGuard[] = [
  {
    absent: pasteGuard.absent,
    present: [{ regex: '^ [^ ✦] .*\\(esc to cancel' }],
    absentTitle: { regex: '^✋' },
  },
];
