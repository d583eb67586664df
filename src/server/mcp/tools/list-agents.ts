import { z } from 'zod';
import { neutraliseLine } from '../../../messages/neutralise.ts';
import type { AgentView } from '../../../protocol/agents.ts';
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
    const agents = listed.agents.map((view) => describe(view, caller.agent.id));
    const rest = remaining > 0 ? [`… and ${remaining} more.`] : [];
    return {
      document: { agents, remaining },
      text: [...agents.map(write), ...rest],
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
  /** Tasks it has not answered. */
  readonly owes?: readonly { readonly task: string; readonly to: string }[];
}

function describe(view: AgentView, caller: string): Listed {
  const owes = (view.owes ?? []).map(({ task, to }) => ({ task, to: to.name }));
  return {
    name: view.name,
    id: view.id,
    provider: view.provider,
    status: view.status,
    ...(view.detail === undefined ? {} : { detail: view.detail }),
    session: view.session,
    ...(view.parent === undefined ? {} : { parent: view.parent.name }),
    ...(view.id === caller ? { isYou: true } : {}),
    queued: view.inbox.queued,
    ...(owes.length === 0 ? {} : { owes }),
  };
}

function write(agent: Listed): string {
  const facts = [
    `${agent.name}${agent.isYou ? ' (you)' : ''}`,
    agent.provider,
    agent.detail === undefined ? agent.status : `${agent.status} (${agent.detail})`,
    `session ${agent.session}`,
    ...(agent.parent === undefined ? [] : [`child of ${agent.parent}`]),
    ...(agent.queued === 0 ? [] : [`${agent.queued} queued`]),
    ...(agent.owes ?? []).map(({ task, to }) => `owes ${to} an answer to ${task}`),
  ];
  // One line for each, whatever a CLI says it is doing.
  return neutraliseLine(facts.join(' · '));
}
