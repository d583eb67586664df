import { asText } from '../../shared/json.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';

/**
 * What Gemini CLI's hooks say about its status (payloads of 0.61.0). AfterAgent comes at the end of every turn, also of one
 * that failed or was interrupted, so it says only that the turn is over; an interruption inside a dialog fires nothing.
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
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

function readReport(event: string, body: HookPayload['body']): HookMeaning['report'] {
  switch (event) {
    case 'BeforeAgent':
      return { status: 'processing' };
    case 'AfterAgent':
      // "idle" leaves it to the screen whether the turn failed; only words prove that it did not.
      return { status: hasAnswer(body) ? 'completed' : 'idle' };
    case 'Notification':
      return body['notification_type'] === 'ToolPermission'
        ? { status: 'waiting', detail: 'permission' }
        : undefined;
    default:
      return undefined;
  }
}

/** After a 401 it says "[no response text]". */
function hasAnswer(body: HookPayload['body']): boolean {
  const answer = asText(body['prompt_response']);
  return answer !== undefined && answer !== '[no response text]';
}
