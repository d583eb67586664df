import { asObject, asText } from '../../shared/json.ts';
import { toMeaning } from '../claude-style-hooks.ts';
import { describeFailure } from '../failure-detail.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';
import type { HookOffer } from '../way-in.ts';

/**
 * What Copilot CLI's hooks say about its status (payloads of 1.0.102). A turn that was broken off,
 * and one whose every try failed, end without a word: there the screen tells.
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
  const report = readReport(event, body);
  // A sub-agent's events carry its id, and its session is another (rule 38). Its question is one to
  // the person all the same.
  if (body['agentId'] !== undefined) return report?.status === 'waiting' ? { report } : undefined;
  return toMeaning(report, {
    isStart: event === 'sessionStart',
    conversation: body['sessionId'],
    transcriptPath: body['transcriptPath'],
  });
}

/**
 * agentStop is asked before the session goes idle, and what it is told becomes a message in a turn
 * of its own: the way in where the extension could not be loaded. Only a turn that ended well is
 * asked (1.0.102).
 */
export function readOffer({ event, body }: HookPayload): HookOffer | undefined {
  if (event !== 'agentStop' || body['agentId'] !== undefined) return undefined;
  return {
    route: 'turn-boundary',
    isContinued: body['stop_hook_active'] !== false,
    reply: (text) => ({
      stdout: `${JSON.stringify({ decision: 'block', reason: text })}\n`,
      exitCode: 0,
    }),
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
        ? { status: 'error', detail: describeFailure(asText(asObject(body['error'])['message'])) }
        : undefined;
    default:
      return undefined;
  }
}

const notifications = new Map<unknown, HookMeaning['report']>([
  ['permission_prompt', { status: 'waiting', detail: 'permission' }],
  ['elicitation_dialog', { status: 'waiting', detail: 'question' }],
]);
