import { asObject, asText } from '../../shared/json.ts';
import type { HookPayload } from '../provider.ts';
import type { AskedFor, Decision, HookQuestion } from '../questions.ts';
import type { HookReply } from '../way-in.ts';

/**
 * A permission that Claude Code asks for, as the call of its PermissionRequest hook has it
 * (2.1.325). The CLI shows its dialog while the hook runs, so the hook may wait for the decision:
 * what it prints answers exactly this request. Undefined for what is answered at the terminal
 * alone: a question with a choice of its own, the approval of a plan, and whatever a sub-agent asks
 * (`agent_id`): for that one the CLI runs the hook first, and draws the dialog when it has ended.
 */
export function readQuestion({ event, body }: HookPayload): HookQuestion | undefined {
  const tool = asText(body['tool_name']);
  if (event !== 'PermissionRequest' || tool === undefined || atTerminal.has(tool)) return undefined;
  if (body['agent_id'] !== undefined) return undefined;
  const lines = [
    `tool: ${indent(tool)}`,
    ...describeInput(asObject(body['tool_input'])),
    ...describeFact('folder', body['cwd']),
  ];
  return {
    asks: asked.get(tool) ?? 'tool',
    text: lines.join('\n'),
    decisions: ['allow', 'deny'],
    reply,
  };
}

const atTerminal: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

const asked: ReadonlyMap<string, AskedFor> = new Map([
  ['Bash', 'command'],
  ['PowerShell', 'command'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['Write', 'edit'],
  ['NotebookEdit', 'edit'],
]);

function describeInput(input: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(input).flatMap(([name, value]) => describeFact(name, value));
}

function describeFact(name: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [`${indent(name)}: ${indent(text)}`];
}

/** A value of several lines stays one fact: none of them can pass for another. */
function indent(text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, '\n    ');
}

/**
 * With a denial the turn goes on, and the model reads the message as the tool's result (2.1.325);
 * the dialog's own No ends the turn.
 */
function reply(decision: Decision): HookReply {
  const made =
    decision === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: 'Denied.' };
  const output = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: made } };
  return { stdout: `${JSON.stringify(output)}\n`, exitCode: 0 };
}
