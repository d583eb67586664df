/** The command lines of agent-deck 1.14.0 that the bench uses, each in one place. */

/** Of the session; its CLI asks before a tool, as everywhere in this bench. */
export function launchCommand(cwd: string, title: string, cli: readonly string[]) {
  return ['launch', cwd, '-t', title, '-c', cli.join(' '), '--no-parent'];
}

/** It waits until the agent is ready, types, and looks whether the agent has begun. */
export function sendCommand(title: string, text: string): readonly string[] {
  return ['session', 'send', title, text];
}

export function showCommand(title: string): readonly string[] {
  return ['session', 'show', title, '--json'];
}

/**
 * Without it agent-deck starts Claude Code with `--dangerously-skip-permissions`, which asks
 * nothing, and which Claude Code (2.1.325) refuses to root.
 */
export const deckConfig = `[claude]
dangerous_mode = false

[codex]
yolo_mode = false
`;
