import type { Command } from 'commander';
import { describeQuestion } from '../../agents/describe-question.ts';
import { callName } from '../../agents/reference.ts';
import type { AgentView } from '../../protocol/agents.ts';
import { describeInterruption } from '../describe-interruption.ts';
import { describeStanding } from '../describe-standing.ts';
import { columnsOf, fold, hang } from '../fold.ts';
import { formatTime, inLine, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { paint } from '../screen-codes.ts';
import { describeInbox, describeStatus } from './ls.ts';
import { example, jsonOption } from './options.ts';

export function addStatusCommand(program: Command): void {
  const command = program
    .command('status [agent]')
    .description('print all about one agent; default: the agent whose terminal this is');
  jsonOption(command);
  example(command, 'signalbox status lead', 'signalbox status self --json');
  command.action((agent: string | undefined, options: { json?: true }) =>
    withClient(async (client) => {
      const view = await client.showAgent(agent ?? 'self');
      if (options.json) return writeJson<AgentView>(view);
      const all = await client.listAgents(undefined, { startsNothing: true });
      return writeOut(describeAgent(view, all, columnsOf(1)));
    }),
  );
}

/** `columns` of the terminal that it is read in; undefined where it is none. */
export function describeAgent(
  agent: AgentView,
  all: readonly AgentView[],
  columns: number | undefined,
): string {
  const lines: (readonly [string, string | undefined])[] = [
    ['status', `${describeStatus(agent)} since ${formatTime(agent.since)} (${agent.source})`],
    ['asks', agent.status === 'waiting' ? describeQuestion(agent) : undefined],
    ...describeStanding(agent, all),
    ['ends', agent.ending],
    ['composer', agent.composer],
    ['typed in', agent.humanTypedAt && `by a person, ${formatTime(agent.humanTypedAt)}`],
    ['provider', [agent.provider, agent.providerVersion].filter(Boolean).join(' ')],
    [
      'warning',
      agent.versionWarning && `${agent.versionWarning.what} ${agent.versionWarning.next}`,
    ],
    ['profile', agent.profile],
    ['conversation', agent.conversation],
    ['backend', agent.backend],
    ['restarts', agent.epoch > 1 ? String(agent.epoch - 1) : undefined],
    ['session', agent.session],
    ['parent', agent.parent && callName(agent.parent)],
    ['folder', agent.cwd],
    ['worktree', agent.worktree?.path],
    ['branch', agent.worktree && `${agent.worktree.branch}, from ${agent.worktree.repository}`],
    ['inbox', describeInbox(agent.inbox)],
    ['broken', agent.broken],
    ['waits for', agent.waitsFor],
    ['held back', agent.waitsForCode === 'budget-spent' ? undefined : agent.held?.why],
    ['routes', agent.routes?.join(', ')],
    ...(agent.lacks ?? []).map(({ route, why }): [string, string] => ['lacks', `${route}: ${why}`]),
    ...(agent.answers ?? []).map((answer): [string, string] => ['answered', tellAnswer(answer)]),
    ...(agent.interruptions ?? []).map((one): [string, string] => [
      'interrupted',
      `${describeInterruption(one)}, ${formatTime(one.at)}`,
    ]),
    ['exit', agent.exitSignal ?? agent.exitCode?.toString()],
    ...(agent.notes ?? []).map((note): [string, string] => ['note', note]),
  ];
  const shown = lines.flatMap(([name, text]) =>
    text ? [`  ${paint('dim', name.padEnd(12))}  ${hang(inLine(text), columns, margin)}`] : [],
  );
  const head =
    agent.unwoken === undefined ? [] : fold(inLine(agent.unwoken), Math.min(80, columns ?? 80) - 4);
  const first = head.map((line) => `  ${paint('yellow', line)}\n`).join('');
  return `${paint('bold', inLine(callName(agent)))}  ${agent.id}\n${first}${shown.join('\n')}\n`;
}

function tellAnswer(answer: NonNullable<AgentView['answers']>[number]): string {
  const { question, decision, outcome, by, who, place, at } = answer;
  return `${question}: ${decision}, ${outcome}; by ${who ?? callName(by)} (${place}), ${formatTime(at)}`;
}

/** As wide as the names before the rows. */
const margin = 16;
