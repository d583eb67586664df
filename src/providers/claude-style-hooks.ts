import { asText } from '../shared/json.ts';
import { describeFailure } from './failure-detail.ts';
import type { HookMeaning, HookPayload } from './provider.ts';
import type { TurnNews } from './way-in.ts';

type Report = NonNullable<HookMeaning['report']>;

/**
 * What tells a status or a conversation, and the end of a session. PreToolUse and its like would
 * cost a process per tool call and tell nothing more.
 */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'StopFailure',
  'PermissionRequest',
  'Notification',
  'SessionEnd',
] as const;

/** Where CLIs differ whose hooks have the names and payloads of Claude Code's. */
export interface HookStyle {
  /** What a permission prompt for this tool asks of the person. */
  readonly describeQuestion: (tool: unknown) => 'question' | 'permission';
  /** By `notification_type`. */
  readonly notifications: ReadonlyMap<unknown, Report>;
  /** Where StopFailure says more than the kind of its `error`. */
  readonly failureField: string;
}

export function readClaudeStyleHook(hook: HookPayload, style: HookStyle): HookMeaning | undefined {
  const { event, body } = hook;
  // A sub-agent's events carry its id; they are no turn of this agent. What it asks is asked of the
  // same person (rule 38).
  if (body['agent_id'] !== undefined) {
    const report = event === 'PermissionRequest' ? readReport(hook, style) : undefined;
    return report && { report };
  }
  const meaning = toMeaning(readReport(hook, style), {
    isStart: event === 'SessionStart',
    conversation: body['session_id'],
    transcriptPath: body['transcript_path'],
  });
  const turnEnd = meaning && readTurnEnd(hook, style);
  return turnEnd ? { ...meaning, turnEnd } : meaning;
}

/**
 * The authority for turn ends (rule 26): Stop and StopFailure name the turn, come at its very end,
 * and Stop has the last words. Each stop of a turn that we continue is one; they have the same
 * `prompt_id`, and are counted. A notification names none: where it comes alone, the status that it
 * tells stands in.
 */
function readTurnEnd({ event, body }: HookPayload, style: HookStyle): TurnNews | undefined {
  const session = asText(body['session_id']);
  const id = asText(body['prompt_id']);
  if (session === undefined || id === undefined) return undefined;
  if (event === 'StopFailure')
    return { session, id, outcome: 'failed', why: readFailure(body, style) };
  if (event !== 'Stop') return undefined;
  const text = asText(body['last_assistant_message']);
  return { session, id, outcome: 'completed', ...(text === undefined ? {} : { text }) };
}

function readFailure(body: HookPayload['body'], { failureField }: HookStyle): string {
  return describeFailure(asText(body['error']), asText(body[failureField]));
}

/**
 * The conversation is told with every word about the status, and by the start of a session; other
 * hooks mean nothing.
 */
export function toMeaning(
  report: Report | undefined,
  said: {
    readonly isStart: boolean;
    readonly conversation: unknown;
    readonly transcriptPath: unknown;
  },
): HookMeaning | undefined {
  if (report === undefined && !said.isStart) return undefined;
  const conversation = asText(said.conversation);
  const transcriptPath = asText(said.transcriptPath);
  return {
    ...(report ? { report } : {}),
    ...(conversation === undefined ? {} : { conversation }),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  };
}

function readReport({ event, body }: HookPayload, style: HookStyle): Report | undefined {
  switch (event) {
    case 'UserPromptSubmit':
      return { status: 'processing' };
    case 'Stop':
      return { status: 'completed' };
    case 'StopFailure': {
      return { status: 'error', detail: readFailure(body, style) };
    }
    case 'PermissionRequest':
      return { status: 'waiting', detail: style.describeQuestion(body['tool_name']) };
    case 'Notification':
      return style.notifications.get(body['notification_type']);
    default:
      return undefined;
  }
}
