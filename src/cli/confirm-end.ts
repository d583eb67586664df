import { userAgentId } from '../agents/agent.ts';
import { describeQuestion } from '../agents/describe-question.ts';
import { callName } from '../agents/reference.ts';
import type { Client, WhichAgents } from '../client/client.ts';
import type { AgentView } from '../protocol/agents.ts';
import { hasControllingTerminal } from '../shared/controlling-terminal.ts';
import { askYesNo } from './ask.ts';
import { inLine, writeError } from './output.ts';
import { isModelReading } from './reader.ts';

type Verb = 'remove' | 'restart';

/**
 * Asks the user at a terminal before an agent at work is ended, and says what goes with it. A
 * script, an agent and whoever says `--yes` is asked nothing. Returns whom to end: those that were
 * named, by their ids, since a name may mean another by the time of the answer. Undefined: the
 * answer was no.
 */
export async function confirmEnd(
  client: Client,
  which: WhichAgents,
  verb: Verb,
  { isSure }: { readonly isSure: boolean },
): Promise<WhichAgents | undefined> {
  const isPerson = client.caller.id === userAgentId && !isModelReading();
  if (isSure || !isPerson || !hasControllingTerminal()) return which;
  const meant = await client.selectAgents(which);
  const chosen = which.names.length === 0 ? which : { ...which, names: meant };
  const all = await client.listAgents();
  const busy = all.filter((agent) => meant.includes(agent.id) && isAtWork(agent));
  if (busy.length === 0) return chosen;
  const lines = busy.flatMap((agent) => describeLoss(agent, verb));
  const before = lines.map((line) => `${inLine(line)}\n`).join('');
  const them = busy.length === 1 ? 'it' : 'them';
  if (await askYesNo(before, `${verb === 'remove' ? 'Remove' : 'Restart'} ${them}?`)) return chosen;
  writeError('signalbox: nothing was done');
  process.exitCode = 1;
  return undefined;
}

function isAtWork({ backend, status, owes = [] }: AgentView): boolean {
  if (backend === 'none' || status === 'exited') return false;
  return status === 'processing' || status === 'waiting' || owes.length > 0;
}

/** What it does, and what is lost with its end. */
export function describeLoss(agent: AgentView, verb: Verb): readonly string[] {
  const { status, worktree, owes = [] } = agent;
  const name = callName(agent);
  const does =
    status === 'waiting'
      ? `asks you something: ${describeQuestion(agent)}`
      : `is ${status === 'processing' ? 'at work' : status}`;
  if (verb === 'restart') {
    return [
      `${name} ${does}; a restart breaks off its turn`,
      ...owes.map((debt) => `  it still owes ${describeDebt(debt)}`),
    ];
  }
  return [
    `${name} ${does}`,
    ...(worktree
      ? [
          `  its worktree ${worktree.path} goes, and its branch ${worktree.branch}, unless work in them would be lost`,
        ]
      : []),
    ...owes.map((debt) => `  it will not answer ${describeDebt(debt)}`),
  ];
}

function describeDebt({ to, about }: NonNullable<AgentView['owes']>[number]): string {
  const whose = `a task of ${callName(to)}`;
  return about === undefined ? whose : `${whose}: ${about}`;
}
