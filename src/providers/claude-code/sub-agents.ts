import { asArray, asObject, asText } from '../../shared/json.ts';
import type { HookPayload, SubAgentNews } from '../provider.ts';

/**
 * What a hook of Claude Code 2.1.325 tells of the sub-agents that work beside the conversation,
 * each of which may ask a person for a permission at any moment (rule 51a). SubagentStart names one
 * that begins. Stop lists all that is under way (`background_tasks`), also after a sub-agent that a
 * person has stopped, for which no SubagentStop comes. An ended one begins a turn by itself, whose
 * Stop tells.
 */
export function readSubAgents({ event, body }: HookPayload): SubAgentNews | undefined {
  const id = asText(body['agent_id']);
  if (event === 'SubagentStart') return id === undefined ? undefined : { began: id };
  if (event === 'SubagentStop') return id === undefined ? undefined : { ended: id };
  const { background_tasks: tasks } = body;
  if (event !== 'Stop' || id !== undefined || !Array.isArray(tasks)) return undefined;
  const running = asArray(tasks)
    .map(asObject)
    .filter(({ type }) => askingTypes.has(type))
    .flatMap((task) => asText(task['id']) ?? []);
  return { running };
}

/**
 * Of all types that it lists, those that let a model call tools here. A shell (a server that runs
 * all day), a monitor, a session in the cloud and their like ask nothing.
 */
const askingTypes = new Set<unknown>(['subagent', 'workflow', 'teammate']);

/**
 * Of any type: whoever ends this agent ends them, too. Undefined where the hook does not tell.
 */
export function countBackground({ event, body }: HookPayload): number | undefined {
  const { background_tasks: tasks } = body;
  return event === 'Stop' && Array.isArray(tasks) ? tasks.length : undefined;
}
