// Tests: test/integration/tmux-attach-key.test.ts.

import type { Look } from '../backend.ts';
import type { Terminal } from '../terminal.ts';
import type { CommandList } from './command.ts';
import { allOf, equal, guarded, identityFormat } from './identity.ts';

/**
 * A person scrolled, and their window was closed, their line broke, or they pressed Ctrl-b d: the
 * pane stays in copy mode, and nothing is typed for an agent in one (rules 24, 45). Nobody is there
 * to leave it, and what they had scrolled to is only a view. In a pane that no person has ever
 * pressed a key in, the mode is somebody else's doing.
 */
export function isLeftInMode({ obstacle, watchers, humanKeyAt }: Look): boolean {
  return obstacle === 'copy-mode' && watchers === 0 && humanKeyAt !== undefined;
}

export function endLeftMode(ledgerId: string, terminal: Terminal): CommandList {
  const { pane } = terminal;
  const isLeft = allOf(identityFormat(ledgerId, terminal), isUnwatched);
  return guarded(pane, isLeft, [['copy-mode', '-q', '-t', pane]]);
}

/** Somebody may have come since the look: tmux asks in the same step. */
const isUnwatched = equal('#{window_active_clients}', '0');

/** The gate knows this one form: the pane that was asked about, with nobody at it. */
export function isEndOfLeftMode(words: readonly unknown[], { pane, conditions }: Asked): boolean {
  const [quit, flag, target, ...more] = words;
  const isForm = quit === '-q' && flag === '-t' && more.length === 0;
  return isForm && pane !== undefined && target === pane && conditions.includes(isUnwatched);
}

interface Asked {
  readonly pane: string | undefined;
  readonly conditions: readonly string[];
}
