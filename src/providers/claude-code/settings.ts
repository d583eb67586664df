import { resolve } from 'node:path';
import { asArray, asObject, type Json, parseObject } from '../../shared/json.ts';
import { readFileTextSync } from '../../shared/open-file.ts';
import { hookEvents } from '../claude-style-hooks.ts';
import type { HookCommand } from '../hook-command.ts';
import { findOption } from '../options.ts';

/** Seconds. The command ends within 1 s (rule 23); this is for a machine that stands still. */
const hookTimeout = 5;

/**
 * Every hook of these is synchronous: what a hook of Stop or PostToolUse says goes into the turn
 * that waits for it (rule 19). PostToolUse is for urgent messages alone, and costs a tool call 14
 * ms. Beside them, hooks that wait (`asyncRewake`): the CLI goes on, and is woken when one ends
 * with 2. One would do until it has spoken; then the prompt that it makes brings the next one, and
 * Stop does for a turn that a person began. One that was killed is brought back by ConfigChange.
 */
export function writeSettings(hookCommand: HookCommand, theirs: Json): string {
  const theirHooks = asObject(theirs['hooks']);
  const hooks = Object.fromEntries(
    [...hookEvents, ...ownEvents].map((event) => {
      const command = { type: 'command', command: hookCommand(event), timeout: hookTimeout };
      const waiting = waitingEvents.has(event) ? [describeWaiting(hookCommand, event)] : [];
      const deciding = event === askingEvent ? [describeDeciding(hookCommand)] : [];
      const own = { hooks: [command, ...waiting, ...deciding] };
      return [event, [...asArray(theirHooks[event]), own]];
    }),
  );
  const rearming = [
    ...asArray(theirHooks[rearmingEvent]),
    { hooks: [describeWaiting(hookCommand, rearmingEvent)] },
  ];
  return `${JSON.stringify({ ...theirs, hooks: { ...theirHooks, ...hooks, [rearmingEvent]: rearming } }, undefined, 2)}\n`;
}

/**
 * What a person named with `--settings`: a file, or the settings themselves. The last one counts.
 */
export function readSettings(person: readonly string[], cwd: string): Json | 'unreadable' {
  const named = findLast(person);
  if (named === undefined) return {};
  try {
    const text = /^\s*\{/.test(named) ? named : readFileTextSync(resolve(cwd, named));
    return parseObject(text) ?? 'unreadable';
  } catch {
    // No such file, or not ours to read: Claude Code itself says which.
    return 'unreadable';
  }
}

function findLast(person: readonly string[]): string | undefined {
  const at = person.findLastIndex((arg) => /^--settings(=|$)/.test(arg));
  return at < 0 ? undefined : findOption(person.slice(at), ['--settings']);
}

/** Beside those that tell a status: urgent messages, and sub-agents that come and go. */
export const ownEvents = ['PostToolUse', 'SubagentStart', 'SubagentStop'] as const;
/** Brings one to an agent at rest that has none (put-up.ts); beside another one it goes at once. */
const rearmingEvent = 'ConfigChange';
const waitingEvents = new Set(['SessionStart', 'UserPromptSubmit', 'Stop']);
/** Seconds: a week. The default of 10 minutes would leave a resting agent without one. */
const waitingTimeout = 604_800;
/** A question of the CLI; it shows its dialog while the hooks of it run. */
const askingEvent = 'PermissionRequest';

/** What it prints answers exactly this request; without a word the dialog stays (rule 23). */
function describeDeciding(hookCommand: HookCommand): object {
  const command = hookCommand(askingEvent, { decides: true });
  return { type: 'command', command, timeout: waitingTimeout };
}

function describeWaiting(hookCommand: HookCommand, event: string): object {
  return {
    type: 'command',
    command: hookCommand(event, { waits: true }),
    timeout: waitingTimeout,
    asyncRewake: true,
    // What stands before the text for the model, and what the screen shows for it.
    rewakeMessage: 'signalbox:',
    rewakeSummary: 'message from signalbox',
  };
}
