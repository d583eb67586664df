import { type HookStyle, readClaudeStyleHook } from '../claude-style-hooks.ts';
import type { HookMeaning, HookPayload } from '../provider.ts';
import { countBackground, readSubAgents } from './sub-agents.ts';

/**
 * What Claude Code's hooks say about its status (payloads of 2.1.325). UserPromptSubmit also fires
 * for text that is only queued and for a wake of ours: in both cases the agent works or is about
 * to. An interrupted turn fires no hook at all; the state file tells it.
 */
export function readHook(hook: HookPayload): HookMeaning | undefined {
  const meaning = readClaudeStyleHook(hook, style);
  const subAgents = readSubAgents(hook);
  const told = subAgents ? { ...meaning, subAgents } : meaning;
  const background = countBackground(hook);
  if (!told?.turnEnd || background === undefined) return told;
  return { ...told, turnEnd: { ...told.turnEnd, background } };
}

/** Tools whose permission prompt is the question itself. */
const questionTools = new Set<unknown>(['AskUserQuestion', 'ExitPlanMode']);

const style: HookStyle = {
  describeQuestion: (tool) => (questionTools.has(tool) ? 'question' : 'permission'),
  // Late words, for when the first one was lost: a prompt's comes after 6 s, the idle one 60 s
  // after the turn's end.
  notifications: new Map([
    ['idle_prompt', { status: 'idle' }],
    ['permission_prompt', { status: 'waiting', detail: 'permission' }],
    ['elicitation_dialog', { status: 'waiting', detail: 'question' }],
    ['elicitation_url_dialog', { status: 'waiting', detail: 'question' }],
    ['agent_needs_input', { status: 'waiting', detail: 'dialog' }],
  ]),
  failureField: 'last_assistant_message',
};
