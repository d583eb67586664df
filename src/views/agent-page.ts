import { callName } from '../agents/reference.ts';
import type { AgentView } from '../protocol/agents.ts';
import { listNeeding, listRemarks, type Remark } from './fleet.ts';
import { isAtRest } from './judge-message.ts';
import { type MessageRow, viewLine } from './line.ts';
import { type Mark, statusMarks } from './marks.ts';
import { tellMoment } from './tell-time.ts';
import type { World } from './world.ts';

/** All of one agent that the page knows without asking. */
export interface AgentPage {
  readonly id: string;
  /** As it is called everywhere. */
  readonly name: string;
  /** By which a command finds it. */
  readonly fullName: string;
  readonly mark: Mark;
  readonly status: string;
  readonly detail: string | undefined;
  readonly since: string;
  readonly source: string;
  readonly needsPerson: boolean;
  readonly remarks: readonly Remark[];
  readonly parent: Link | undefined;
  readonly children: readonly Link[];
  /** What stands in the way of its messages, in sentences. */
  readonly troubles: readonly string[];
  readonly owes: readonly Debt[];
  /** What is in its inbox and open. */
  readonly inbox: readonly MessageRow[];
  readonly facts: readonly Fact[];
  readonly has: { readonly terminal: boolean; readonly process: boolean; readonly typing: boolean };
  readonly canInterrupt: boolean;
}

interface Link {
  readonly id: string;
  readonly name: string;
}

interface Debt {
  readonly task: string;
  readonly to: Link;
  readonly since: string;
  readonly wasReminded: boolean;
}

interface Fact {
  readonly name: string;
  readonly text: string;
}

export function viewAgentPage(world: World, id: string, now: number): AgentPage | undefined {
  const agent = world.agents.get(id);
  if (!agent || id === world.user) return undefined;
  const { name, session, status, detail, since, source, parent, backend } = agent;
  const hasTerminal = backend !== 'none';
  return {
    ...{ id, name: callName(agent), fullName: `${session}/${name}` },
    ...{ mark: statusMarks[status], status, detail, since, source },
    needsPerson: listNeeding(world).has(id),
    remarks: listRemarks(agent),
    parent: parent && { id: parent.id, name: callName(parent) },
    children: [...world.agents.values()]
      .filter((other) => other.parent?.id === id)
      .map((other) => ({ id: other.id, name: callName(other) })),
    troubles: listTroubles(agent),
    owes: (agent.owes ?? []).map(({ task, to, since: givenAt, reminded }) => ({
      ...{ task, since: givenAt, wasReminded: reminded === true },
      to: { id: to.id, name: callName(to) },
    })),
    inbox: viewLine(world, { text: '', show: 'all', agent: id }, now).filter(
      (row) => row.toId === id && !isAtRest(row),
    ),
    facts: listFacts(agent),
    has: {
      terminal: hasTerminal && status !== 'exited',
      process: hasTerminal,
      typing: backend === 'tmux',
    },
    canInterrupt: hasTerminal && status === 'processing',
  };
}

function listTroubles(agent: AgentView): readonly string[] {
  const { broken, held, unwoken, waitsFor, versionWarning, notes = [], lacks = [] } = agent;
  return [
    ...(broken === undefined ? [] : [broken]),
    ...(held ? [`${held.why}; it goes on at ${tellMoment(held.until)}`] : []),
    ...(waitsFor === undefined ? [] : [`the first message of its inbox waits: ${waitsFor}`]),
    ...(unwoken === undefined ? [] : [unwoken]),
    ...(versionWarning ? [`${versionWarning.what} ${versionWarning.next}`] : []),
    ...lacks.map(({ route, why }) => `the ${route} route is missing: ${why}`),
    ...notes,
  ];
}

function listFacts(agent: AgentView): readonly Fact[] {
  const { session, provider, providerVersion, backend, epoch, profile, cwd, worktree } = agent;
  const { conversation, routes, ending, composer, humanTypedAt, exitCode, exitSignal } = agent;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['session', session],
    ['provider', [provider, providerVersion].filter(Boolean).join(' ')],
    ['profile', profile],
    ['folder', cwd],
    ['worktree', worktree && `${worktree.branch} in ${worktree.path}`],
    ['terminal', backend === 'none' ? 'none of ours' : backend],
    ['life', epoch === 0 ? undefined : String(epoch)],
    ['conversation', conversation],
    ['ways in', routes?.join(', ')],
    ['composer', composer],
    ['you typed there', humanTypedAt && tellMoment(humanTypedAt)],
    ['ends', ending],
    ['exit code', exitCode === undefined ? undefined : String(exitCode)],
    ['exit signal', exitSignal],
    ['id', agent.id],
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}
