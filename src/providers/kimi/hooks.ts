import { forgetOldest } from '../../shared/forget-oldest.ts';
import { asText } from '../../shared/json.ts';
import { toMeaning } from '../claude-style-hooks.ts';
import { describeFailure } from '../failure-detail.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';
import type { HookOffer } from '../way-in.ts';

/**
 * What Kimi Code's hooks say (payloads of 2.1.0). Those of a sub-agent carry its session's id and
 * no other, so whether one is at work is remembered from its own two events: the first of them is
 * waited for before it begins. Turn ends are the file's to tell (turns.ts).
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
  const session = asText(body['session_id']);
  if (session !== undefined) countSubAgents(event, session);
  return toMeaning(readReport(event, body), {
    isStart: event === 'SessionStart',
    conversation: session,
    transcriptPath: undefined,
  });
}

/**
 * Stop is asked before the turn ends, and what it is told becomes a message of the same turn; once
 * per turn, and with exit code 2 only: a decision as JSON is ignored. Never while a sub-agent
 * works, whose stop it might be (rule 38).
 */
export function readOffer({ event, body }: HookPayload): HookOffer | undefined {
  const session = asText(body['session_id']);
  if (event !== 'Stop' || session === undefined || atWork.has(session)) return undefined;
  return {
    route: 'turn-boundary',
    isContinued: body['stop_hook_active'] !== false,
    reply: (text) => ({ stderr: text, exitCode: 2 }),
  };
}

function readReport(event: string, body: HookPayload['body']): HookMeaning['report'] {
  switch (event) {
    case 'UserPromptSubmit':
      return { status: 'processing' };
    case 'Stop':
      return isSubAgents(body) ? undefined : { status: 'completed' };
    case 'StopFailure': {
      if (isSubAgents(body)) return undefined;
      const detail = describeFailure(asText(body['error_type']), asText(body['error_message']));
      return { status: 'error', detail };
    }
    default:
      return undefined;
  }
}

/**
 * Sub-agents at work, by session; in this process's memory alone: after a restart of ours one may
 * be taken for the main one.
 */
const atWork = new Map<string, number>();
/** A session that was killed with one at work never says that it stopped. */
const mostSessions = 1000;

function isSubAgents(body: HookPayload['body']): boolean {
  return atWork.has(asText(body['session_id']) ?? '');
}

function countSubAgents(event: string, session: string): void {
  const count = atWork.get(session) ?? 0;
  if (event === 'SubagentStart') {
    atWork.set(session, count + 1);
    forgetOldest(atWork, mostSessions);
  }
  if (event === 'SubagentStop' && count > 1) atWork.set(session, count - 1);
  else if (event === 'SubagentStop' || event === 'SessionStart') atWork.delete(session);
}
