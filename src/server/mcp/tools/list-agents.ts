import { z } from 'zod';
import type { Agent } from '../../../agents/agent.ts';
import { comesBack } from '../../../agents/ending.ts';
import { nameFor } from '../../../agents/reference.ts';
import { neutraliseLine } from '../../../messages/neutralise.ts';
import type { AgentName, AgentView } from '../../../protocol/agents.ts';
import { listAgents } from '../../../requests/list-agents.ts';
import { defineTool, looks } from '../tool.ts';

/** More lines help no model. */
const mostAgents = 100;

export const listAgentsTool = defineTool({
  name: 'list_agents',
  description: 'The agents of the team: name, provider, status, and who owes whom an answer.',
  input: z.strictObject({}),
  annotations: looks,
  run: async ({ context, caller }) => {
    const listed = await listAgents(context, caller, { max: mostAgents });
    const { remaining } = listed;
    const agents = listed.agents.map((view) => describe(view, caller.agent));
    const rest = remaining > 0 ? [`… and ${remaining} more.`] : [];
    return {
      document: { agents, remaining },
      text: [...listed.agents.map((view) => write(view, caller.agent)), ...rest],
    };
  },
});

interface Listed {
  readonly name: string;
  readonly id: string;
  readonly provider: string;
  readonly status: string;
  readonly detail?: string;
  readonly session: string;
  readonly parent?: string;
  readonly isYou?: true;
  readonly queued: number;
  /** It has ended by itself; a task from its parent brings it back. */
  readonly endedBy?: AgentView['endedBy'];
  /** Tasks it has not answered. */
  readonly owes?: readonly { readonly task: string; readonly to: string }[];
}

function describe(view: AgentView, caller: Agent): Listed {
  const owes = (view.owes ?? []).map(({ task, to }) => ({ task, to: nameFor(caller, to) }));
  return {
    name: nameFor(caller, view),
    id: view.id,
    provider: view.provider,
    status: view.status,
    ...(view.detail === undefined ? {} : { detail: view.detail }),
    session: view.session,
    ...(view.parent === undefined ? {} : { parent: nameFor(caller, view.parent) }),
    ...(view.id === caller.id ? { isYou: true } : {}),
    queued: view.inbox.queued,
    ...(view.endedBy === undefined ? {} : { endedBy: view.endedBy }),
    ...(owes.length === 0 ? {} : { owes }),
  };
}

/** Every agent by the name that its reader can give to a tool. */
function write(agent: AgentView, caller: Agent): string {
  const call = (one: AgentName): string => nameFor(caller, one);
  const { parent, owes = [], inbox } = agent;
  const facts = [
    `${call(agent)}${agent.id === caller.id ? ' (you)' : ''}`,
    agent.provider,
    agent.detail === undefined ? agent.status : `${agent.status} (${agent.detail})`,
    `session ${agent.session}`,
    ...(comesBack(agent) ? ['a task from its parent brings it back'] : []),
    ...(parent === undefined ? [] : [`child of ${call(parent)}`]),
    ...(inbox.queued === 0 ? [] : [`${inbox.queued} queued`]),
    ...owes.map(({ task, to }) => `owes ${call(to)} an answer to ${task}`),
  ];
  // One line for each, whatever a CLI says it is doing.
  return neutraliseLine(facts.join(' · '));
}
