import { toMeaning } from '../claude-style-hooks.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';

/**
 * What Codex's hooks say about its status (payloads of 0.166.0), for users who have installed them;
 * a launch passes none. A turn that failed or was interrupted fires no hook: the app-server and the
 * screen tell those.
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
  // A sub-agent's events carry its id, and the session of the agent that started it (rule 38).
  if (body['agent_id'] !== undefined) return undefined;
  return toMeaning(reports.get(event), {
    isStart: event === 'SessionStart',
    conversation: body['session_id'],
    transcriptPath: body['transcript_path'],
  });
}

const reports = new Map<string, NonNullable<HookMeaning['report']>>([
  ['UserPromptSubmit', { status: 'processing' }],
  ['PermissionRequest', { status: 'waiting', detail: 'permission' }],
  ['Stop', { status: 'completed' }],
]);
