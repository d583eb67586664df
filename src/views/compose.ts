import type { AgentView } from '../protocol/agents.ts';
import { type Mark, statusMarks } from './marks.ts';
import type { World } from './world.ts';

/** Whom the user can write to. */
export interface Choice {
  readonly id: string;
  /** With its session: of two namesakes each is told. */
  readonly name: string;
  readonly mark: Mark;
  readonly status: string;
  /** Why a message will wait, where that is known before it is sent. */
  readonly warning: string | undefined;
}

/** By name; those that were chosen stay, whatever the filter. */
export function listChoices(
  world: World,
  filter: string,
  chosen: ReadonlySet<string>,
): readonly Choice[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return [...world.agents.values()]
    .filter(({ id }) => id !== world.user)
    .map((agent) => ({
      ...{ id: agent.id, name: `${agent.session}/${agent.name}` },
      ...{ mark: statusMarks[agent.status], status: tellStatus(agent), warning: warn(agent) },
    }))
    .filter(
      ({ id, name }) => chosen.has(id) || words.every((word) => name.toLowerCase().includes(word)),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function tellStatus({ status, detail }: AgentView): string {
  return detail === undefined ? status : `${status}: ${detail}`;
}

function warn({ status, broken, unwoken, held }: AgentView): string | undefined {
  if (status === 'exited') return 'it has exited; a message waits for its next start';
  if (status === 'waiting') return 'it waits for you; a message goes in after your answer';
  return broken ?? held?.why ?? unwoken;
}
