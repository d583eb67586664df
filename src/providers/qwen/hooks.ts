import { asText } from '../../shared/json.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';
import { describeQuestion } from './events.ts';

/**
 * What Qwen Code's hooks say about its status (payloads of 0.24.4). An interrupted turn fires no Stop, but like every other
 * one it ends with the notification `idle_prompt`, some 60 ms later. That one may overtake StopFailure, so it only says that
 * the turn is over, not how. UserPromptSubmit also fires with an empty prompt after each tool.
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
  // A sub-agent's events carry its id; they are no turn of this agent (rule 38).
  if (body['agent_id'] !== undefined) return undefined;
  const report = readReport(event, body);
  if (report === undefined && event !== 'SessionStart') return undefined;
  const conversation = asText(body['session_id']);
  const transcriptPath = asText(body['transcript_path']);
  return {
    ...(report ? { report } : {}),
    ...(conversation === undefined ? {} : { conversation }),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  };
}

type Report = NonNullable<HookMeaning['report']>;

function readReport(event: string, body: HookPayload['body']): Report | undefined {
  switch (event) {
    case 'UserPromptSubmit':
      return { status: 'processing' };
    case 'Stop':
      return { status: 'completed' };
    case 'StopFailure':
      return { status: 'error', detail: describeFailure(body) };
    case 'PermissionRequest':
      return { status: 'waiting', detail: describeQuestion(body['tool_name']) };
    case 'Notification':
      return notifications.get(body['notification_type']);
    default:
      return undefined;
  }
}

const notifications = new Map<unknown, Report>([
  ['idle_prompt', { status: 'idle' }],
  ['permission_prompt', { status: 'waiting', detail: 'permission' }],
]);

const maxDetail = 200;

function describeFailure(body: HookPayload['body']): string {
  const words = [asText(body['error']), asText(body['error_details'])];
  const text = words.filter((word) => word !== undefined).join(': ');
  return text.replaceAll(/\s+/g, ' ').slice(0, maxDetail) || 'the turn failed';
}
