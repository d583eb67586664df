import type { HookMeaning, HookPayload } from '../provider.ts';

/**
 * What Claude Code's hooks say about its status (payloads of 2.1.325). UserPromptSubmit also fires for text that is only
 * queued and for a wake of ours: in both cases the agent works or is about to. An interrupted turn fires no hook at all;
 * the state file tells it.
 */
export function readHook({ event, body }: HookPayload): HookMeaning | undefined {
  // A sub-agent's events carry its id; they are no turn of this agent (rule 38).
  if (body['agent_id'] !== undefined) return undefined;
  const report = readReport(event, body);
  if (report === undefined && event !== 'SessionStart') return undefined;
  const conversation = textOf(body['session_id']);
  const transcriptPath = textOf(body['transcript_path']);
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
      return {
        status: 'waiting',
        detail: questionTools.has(body['tool_name']) ? 'question' : 'permission',
      };
    case 'Notification':
      return notifications.get(body['notification_type']);
    default:
      return undefined;
  }
}

/** Tools whose permission prompt is the question itself. */
const questionTools = new Set<unknown>(['AskUserQuestion', 'ExitPlanMode']);

/** Late words, for when the first one was lost: a prompt's comes after 6 s, the idle one 60 s after the turn's end. */
const notifications = new Map<unknown, Report>([
  ['idle_prompt', { status: 'idle' }],
  ['permission_prompt', { status: 'waiting', detail: 'permission' }],
  ['elicitation_dialog', { status: 'waiting', detail: 'question' }],
  ['elicitation_url_dialog', { status: 'waiting', detail: 'question' }],
  ['agent_needs_input', { status: 'waiting', detail: 'dialog' }],
]);

const maxDetail = 200;

function describeFailure(body: HookPayload['body']): string {
  const words = [textOf(body['error']), textOf(body['last_assistant_message'])];
  const text = words.filter((word) => word !== undefined).join(': ');
  return text.replace(/\s+/g, ' ').slice(0, maxDetail) || 'the turn failed';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
