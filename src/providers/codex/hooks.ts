import type { HookMeaning, HookPayload } from '../provider.ts';

/**
 * What Codex's hooks say about its status (payloads of 0.166.0), for users who have installed them; a launch passes none. A
 * turn that failed or was interrupted fires no hook: the app-server and the screen tell those.
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
  // A sub-agent's events carry its id, and the session of the agent that started it (rule 38).
  if (body['agent_id'] !== undefined) return undefined;
  const report = reports.get(event);
  if (report === undefined && event !== 'SessionStart') return undefined;
  const conversation = body['session_id'];
  const transcriptPath = body['transcript_path'];
  return {
    ...(report ? { report } : {}),
    ...(typeof conversation === 'string' ? { conversation } : {}),
    ...(typeof transcriptPath === 'string' ? { transcriptPath } : {}),
  };
}

const reports = new Map<string, NonNullable<HookMeaning['report']>>([
  ['UserPromptSubmit', { status: 'processing' }],
  ['PermissionRequest', { status: 'waiting', detail: 'permission' }],
  ['Stop', { status: 'completed' }],
]);
