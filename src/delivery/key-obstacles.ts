import type { KeyObstacle } from '../terminals/backend.ts';

/**
 * What a person has made of a terminal, and what undoes it: what waits for it is told so in these
 * words (rules 45, 48).
 */
export const keyObstacles: Readonly<Record<KeyObstacle, string>> = {
  'copy-mode': 'a person scrolls in its terminal',
  synchronised:
    'its window sends keys to all of its panes; `set-option -w synchronize-panes off` there ends that',
  'input-off': 'the input of its terminal is switched off; `select-pane -e` there switches it on',
};

export function isKeyObstacle(why: string | undefined): why is string {
  return why !== undefined && Object.values(keyObstacles).includes(why);
}
