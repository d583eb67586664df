import { asObject, asText } from '../../shared/json.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';

/**
 * What Copilot CLI's hooks say about its status (payloads of 1.0.102). A turn that was broken off, and one whose every try
 * failed, end without a word: there the screen tells.
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
  const report = readReport(event, body);
  // A sub-agent's events carry its id, and its session is another (rule 38). Its question is one to the person all the same.
  if (body['agentId'] !== undefined) return report?.status === 'waiting' ? { report } : undefined;
  if (report === undefined && event !== 'sessionStart') return undefined;
  const conversation = asText(body['sessionId']);
  const transcriptPath = asText(body['transcriptPath']);
  return {
    ...(report ? { report } : {}),
    ...(conversation === undefined ? {} : { conversation }),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  };
}

function readReport(event: string, body: HookPayload['body']): HookMeaning['report'] {
  switch (event) {
    case 'userPromptSubmitted':
      return { status: 'processing' };
    case 'agentStop':
      return { status: 'completed' };
    case 'notification':
      return notifications.get(body['notification_type']);
    case 'errorOccurred':
      // One per failed try, and it goes on trying; that the last of them was the end is not said.
      return body['recoverable'] === false
        ? { status: 'error', detail: describeError(body) }
        : undefined;
    default:
      return undefined;
  }
}

const notifications = new Map<unknown, HookMeaning['report']>([
  ['permission_prompt', { status: 'waiting', detail: 'permission' }],
  ['elicitation_dialog', { status: 'waiting', detail: 'question' }],
]);

const maxDetail = 200;

function describeError(body: HookPayload['body']): string {
  const message = asText(asObject(body['error'])['message']) ?? 'the turn failed';
  return message.replace(/\s+/g, ' ').slice(0, maxDetail);
}
