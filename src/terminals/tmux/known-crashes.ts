/**
 * What takes a whole tmux server down, and every agent with it, seen on 3.3a, 3.4, 3.5a, 3.6a, 3.7c
 * and 3.8. We never do any of it (`forbidden.ts`); a person at the same server might, so `doctor`
 * tells.
 */
const crashes: readonly { readonly below: readonly [number, number]; readonly what: string }[] = [
  {
    below: [3, 4],
    what: '`paste-buffer` into a terminal whose program has ended',
  },
  {
    below: [3, 7],
    what: '`set -g window-size manual`, at the next new window',
  },
  {
    below: [3, 8],
    what: '`respawn-pane` and `respawn-window`, also from the menu of the status line',
  },
];

export function listKnownCrashes(version: string): readonly string[] {
  const [, major, minor] = /^(?:next-)?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return [];
  const number = Number(major) * 1000 + Number(minor);
  return crashes.filter(({ below: [a, b] }) => number < a * 1000 + b).map(({ what }) => what);
}
