import { asText } from '../../shared/json.ts';
import type { HookPayload } from '../provider.ts';
import { tellFacts } from '../question-text.ts';
import type { AskedFor, Decision, HookQuestion } from '../questions.ts';
import type { HookReply } from '../way-in.ts';

/**
 * A permission that Claude Code asks for, as the call of its PermissionRequest hook has it
 * (2.1.325). The CLI shows its dialog while the hook runs, so the hook may wait for the decision:
 * what it prints answers exactly this request. For what a sub-agent asks (`agent_id`) the CLI runs
 * the hook first, and draws the dialog when it has ended. Undefined for what is answered at the
 * terminal alone: a question with a choice of its own, and the approval of a plan.
 */
export function readQuestion({ event, body }: HookPayload): HookQuestion | undefined {
  const tool = asText(body['tool_name']);
  if (event !== 'PermissionRequest' || tool === undefined || atTerminal.has(tool)) return undefined;
  // What stands in the tool's input is the model's: below `input`, so that no name in it passes for
  // a fact of the CLI's.
  const { text, decisions } = tellFacts([
    ['tool', tool],
    ['folder', body['cwd']],
    ['input', body['tool_input']],
  ]);
  const isSubAgents = body['agent_id'] === undefined ? {} : { isSubAgents: true as const };
  return { asks: asked.get(tool) ?? 'tool', text, decisions, reply, ...isSubAgents };
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
