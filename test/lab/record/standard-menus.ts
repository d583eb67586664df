import type { Scenario } from './scenario.ts';
import { atRest, typing } from './shapes.ts';

/** Files to choose from, below the composer. */
export function fileMenu(typed = '@'): Scenario {
  return atRest('menu-files', 'draft', typing(typed, /notes\.md/), {
    files: () => ({ 'work/notes.md': 'Notes.\n', 'work/plan.md': 'Plan.\n' }),
  });
}

/** The first key switches to it; a command is typed once that shows. */
export function shellMode(pattern: RegExp): readonly Scenario[] {
  return [
    atRest('shell-mode', 'draft', typing('!', pattern)),
    atRest('shell-mode-command', 'draft', async (session) => {
      await typing('!', pattern)(session);
      await typing('ls -la', /ls -la/)(session);
    }),
  ];
}

/** A draft that was put aside. */
export function stashed(pattern: RegExp): Scenario {
  return atRest('stashed', 'unknown', async (session) => {
    await typing('put this aside', /put this aside/)(session);
    await session.terminal.keys('C-s');
    await session.shows(pattern);
  });
}
