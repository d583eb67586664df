import { wayToAnswer } from '../agents/describe-question.ts';
import { callName } from '../agents/reference.ts';
import type { AgentView } from '../protocol/agents.ts';

/** One line of `status`: what it is about, and the words. */
type Line = readonly [name: string, text: string];

/**
 * What an agent owes, who owes it an answer, and which command helps it now. `all` are the
 * agents that there are: a debt is known by its debtor.
 */
export function describeStanding(agent: AgentView, all: readonly AgentView[]): readonly Line[] {
  const owes = (agent.owes ?? []).map(({ to, about }): Line => ['owes', say(callName(to), about)]);
  const owed = all.flatMap((debtor) =>
    (debtor.owes ?? [])
      .filter(({ to }) => to.id === agent.id)
      .map(({ about }): Line => ['owed by', say(callName(debtor), about)]),
  );
  const help = findHelp(agent);
  return [...owes, ...owed, ...(help === undefined ? [] : [['what helps', help] as const])];
}

function say(name: string, about: string | undefined): string {
  return about === undefined ? name : `${name}: ${about}`;
}

/** Undefined while it needs nobody. */
function findHelp(agent: AgentView): string | undefined {
  const { status, inbox, owes = [] } = agent;
  const name = callName(agent);
  switch (status) {
    case 'waiting':
      return `answer it: ${wayToAnswer(agent, name)}`;
    case 'error':
      return `see why, then tell it to go on: signalbox output ${name}`;
    case 'exited':
      return inbox.queued + owes.length > 0
        ? `it has mail or owes an answer: signalbox restart ${name}`
        : `start it again: signalbox restart ${name}`;
    default:
      return undefined;
  }
}
