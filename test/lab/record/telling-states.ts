/**
 * The states that tell most of a version: rest, drafts, work, questions, ends. What a CLI lacks of
 * them is not among its scenarios.
 */
export const tellingStates: readonly string[] = [
  ...['started', 'draft-line', 'draft-spaces', 'menu-commands', 'thinking', 'streaming'],
  ...['tool-running', 'queued', 'permission-shell', 'question', 'trust', 'dialog-model'],
  ...['answered', 'answered-draft', 'interrupted', 'interrupted-silent', 'error-401'],
];
