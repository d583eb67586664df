import { type HookStyle, readClaudeStyleHook } from '../claude-style-hooks.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';
import type { HookOffer } from '../way-in.ts';

/**
 * The hooks of a described program (`hooks: env` in config.yaml). They have the names and fields of
 * Claude Code's, which many programs know already: UserPromptSubmit, Stop, StopFailure and
 * PermissionRequest with `session_id` and, for the turn, `prompt_id`; Stop with
 * `last_assistant_message` and `stop_hook_active`; PostToolUse.
 */
export function readHook(hook: HookPayload): HookMeaning | undefined {
  return readClaudeStyleHook(hook, style);
}

/** What Stop and PostToolUse print is context for the model: with that of Stop the turn goes on. */
export function readOffer({ event, body }: HookPayload): HookOffer | undefined {
  if (body['agent_id'] !== undefined) return undefined;
  const reply = (text: string) => {
    const context = { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
    return { stdout: `${JSON.stringify(context)}\n`, exitCode: 0 };
  };
  if (event === 'PostToolUse') return { route: 'mid-turn', isContinued: false, reply };
  if (event !== 'Stop') return undefined;
  return { route: 'turn-boundary', isContinued: body['stop_hook_active'] !== false, reply };
}

const style: HookStyle = {
  describeQuestion: () => 'permission',
  notifications: new Map(),
  failureField: 'last_assistant_message',
};
