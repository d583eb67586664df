import { asText } from '../../shared/json.ts';
import { type HookStyle, readClaudeStyleHook } from '../claude-style-hooks.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';
import type { TurnNews } from '../way-in.ts';
import { describeQuestion } from './events.ts';

/**
 * What Qwen Code's hooks say about its status (payloads of 0.24.4). An interrupted turn fires no Stop, but like every other
 * one it ends with the notification `idle_prompt`, some 60 ms later. That one may overtake StopFailure, so it only says that
 * the turn is over, not how. UserPromptSubmit also fires with an empty prompt after each tool.
 */
export function readHook(hook: HookPayload): HookMeaning | undefined {
  const meaning = readClaudeStyleHook(hook, style);
  const turnEnd = meaning && readTurnEnd(hook);
  return turnEnd ? { ...meaning, turnEnd } : meaning;
}

/**
 * The authority for turn ends (rule 26): Stop and StopFailure name the turn, and Stop has its last words. The notification
 * names none, and comes after every turn: where it comes alone, the status that it tells stands in.
 */
function readTurnEnd({ event, body }: HookPayload): TurnNews | undefined {
  const session = asText(body['session_id']);
  const id = asText(body['prompt_id']);
  if (session === undefined || id === undefined) return undefined;
  if (event === 'StopFailure') return { session, id, outcome: 'failed' };
  if (event !== 'Stop') return undefined;
  const text = asText(body['last_assistant_message']);
  return { session, id, outcome: 'completed', ...(text === undefined ? {} : { text }) };
}

const style: HookStyle = {
  describeQuestion,
  notifications: new Map([
    ['idle_prompt', { status: 'idle' }],
    ['permission_prompt', { status: 'waiting', detail: 'permission' }],
  ]),
  failureField: 'error_details',
};
