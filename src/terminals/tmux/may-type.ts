import type { KeyObstacle } from '../writing.ts';
import { allOf, equal } from './identity.ts';

/**
 * Rule 45, as tmux itself judges it in the command that types. With `synchronize-panes` on, keys go
 * into every synchronised pane of the window too; in a mode, or with the input off
 * (`select-pane -d`), tmux answers "ok" and throws them away (3.3a to 3.8). A pane that is alone in
 * its window is synchronised with nobody.
 */
const isSynchronised = '#{&&:#{pane_synchronized},#{e|>|:#{window_panes},1}}';

/**
 * Every one of these must hold, word for word: the gate (`forbidden.ts`) looks for them in the
 * guard of what types.
 */
export function typingConditions(pane: string): readonly [string, ...string[]] {
  return [
    // `if-shell -t` with a pane that is gone asks about some other pane (3.3a).
    equal('#{pane_id}', pane),
    // A paste into a dead pane takes the server down (3.3a).
    equal('#{pane_dead}', '0'),
    equal('#{pane_in_mode}', '0'),
    equal(isSynchronised, '0'),
    equal('#{pane_input_off}', '0'),
  ];
}

export function mayType(pane: string, identity: string): string {
  return allOf(identity, ...typingConditions(pane));
}

/** One of them at a time: what a person must undo first. */
export const obstacleFormat = `#{?#{pane_in_mode},copy-mode,#{?${isSynchronised},synchronised,#{?#{pane_input_off},input-off,none}}}`;

const obstacles: readonly string[] = [
  'copy-mode',
  'synchronised',
  'input-off',
] satisfies readonly KeyObstacle[];

export function readObstacle(said: string | undefined): KeyObstacle | undefined {
  return said !== undefined && obstacles.includes(said) ? (said as KeyObstacle) : undefined;
}
