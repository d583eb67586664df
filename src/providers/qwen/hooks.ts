import { type HookStyle, readClaudeStyleHook } from '../claude-style-hooks.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';
import { describeQuestion } from './events.ts';

/**
 * What Qwen Code's hooks say about its status (payloads of 0.24.4). An interrupted turn fires no
 * Stop, but like every other one it ends with the notification `idle_prompt`, some 60 ms later.
 * That one may overtake StopFailure, so it only says that the turn is over, not how.
 * UserPromptSubmit also fires with an empty prompt after each tool.
 */
export function readHook(hook: HookPayload): HookMeaning | undefined {
  const meaning = readClaudeStyleHook(hook, style);
  const { turnEnd } = meaning ?? {};
  return turnEnd?.text === noWords ? { ...meaning, turnEnd: { ...turnEnd, text: '' } } : meaning;
}

/** What Stop says of a model that said nothing. */
const noWords = '[no response text]';

const style: HookStyle = {
  describeQuestion,
  notifications: new Map([
    ['idle_prompt', { status: 'idle' }],
    ['permission_prompt', { status: 'waiting', detail: 'permission' }],
  ]),
  failureField: 'error_details',
};
