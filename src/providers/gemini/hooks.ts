import { asText } from '../../shared/json.ts';
import { toMeaning } from '../claude-style-hooks.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';
import type { HookOffer, TurnNews } from '../way-in.ts';
import { readOutcome } from './turn-outcome.ts';

/**
 * What Gemini CLI's hooks say about its status (payloads of 0.61.0). AfterAgent comes at the end of
 * every turn, also of one that failed or was interrupted, so it says only that the turn is over; an
 * interruption inside a dialog fires nothing.
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
  const meaning = toMeaning(readReport(event, body), {
    isStart: event === 'SessionStart',
    conversation: body['session_id'],
    transcriptPath: body['transcript_path'],
  });
  const turnEnd = event === 'AfterAgent' ? readTurnEnd(body) : undefined;
  return meaning && turnEnd ? { ...meaning, turnEnd } : meaning;
}

/**
 * AfterAgent is asked before the turn ends, and what it is given as a reason becomes the next
 * prompt of the same turn. It is asked after a failure and an interruption, too, where a reply
 * would go over a person's head, or nowhere; so where the file cannot be read nothing is said.
 * Sub-agents have no such event.
 */
export function readOffer({ event, body }: HookPayload): HookOffer | undefined {
  if (event !== 'AfterAgent') return undefined;
  if (readOutcome(asText(body['transcript_path']), hasAnswer(body)) !== 'completed')
    return undefined;
  return {
    route: 'turn-boundary',
    isContinued: body['stop_hook_active'] !== false,
    reply: (text) => ({
      stdout: `${JSON.stringify({ decision: 'block', reason: text })}\n`,
      exitCode: 0,
    }),
  };
}

/**
 * The hook is the authority for turn ends: the file does not tell the last answer from one before a
 * tool call. Gemini names no turns; the time in the payload is that of this very call, so it stands
 * for the turn's id. Its text is that of the whole turn, all its steps and continuations, so the
 * answer is read from the file. Where that cannot be read the end is told all the same.
 */
function readTurnEnd(body: HookPayload['body']): TurnNews | undefined {
  const session = asText(body['session_id']);
  const id = asText(body['timestamp']);
  if (session === undefined || id === undefined) return undefined;
  const hasText = hasAnswer(body);
  const outcome = readOutcome(asText(body['transcript_path']), hasText);
  // Each call has a time of its own, so it is the only stop of that name.
  const end = {
    session,
    id,
    stop: 1,
    outcome: outcome ?? (hasText ? 'completed' : 'failed'),
  } as const;
  const said = hasText ? asText(body['prompt_response']) : undefined;
  // Without a word of its own it must not be told with those of the turn before.
  return said === undefined ? { ...end, text: '' } : { ...end, said };
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
