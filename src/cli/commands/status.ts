import type { Command } from 'commander';
import type { AgentView } from '../../protocol/agents.ts';
import { fold, formatTime, inLine, writeJson, writeOut } from '../output.ts';
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
      return options.json ? writeJson<AgentView>(view) : writeOut(describe(view));
    }),
  );
}

function describe(agent: AgentView): string {
  const lines: [string, string | undefined][] = [
    ['status', `${describeStatus(agent)} since ${formatTime(agent.since)} (${agent.source})`],
    ['composer', agent.composer],
    ['typed in', agent.humanTypedAt && `by a person, ${formatTime(agent.humanTypedAt)}`],
    ['provider', [agent.provider, agent.providerVersion].filter(Boolean).join(' ')],
    ['profile', agent.profile],
    ['conversation', agent.conversation],
    ['backend', agent.backend],
    ['epoch', String(agent.epoch)],
    ['session', agent.session],
    ['parent', agent.parent?.name],
    ['folder', agent.cwd],
    ['worktree', agent.worktree?.path],
    ['branch', agent.worktree && `${agent.worktree.branch}, from ${agent.worktree.repository}`],
    ['inbox', describeInbox(agent.inbox)],
    ['broken', agent.broken],
    ['waits for', agent.waitsFor],
    ['held back', agent.waitsForCode === 'budget-spent' ? undefined : agent.held?.why],
    ['routes', agent.routes?.join(', ')],
    ...(agent.lacks ?? []).map(({ route, why }): [string, string] => ['lacks', `${route}: ${why}`]),
    ['exit', agent.exitSignal ?? agent.exitCode?.toString()],
    ...(agent.notes ?? []).map((note): [string, string] => ['note', note]),
  ];
  const shown = lines.flatMap(([name, text]) =>
    text ? [`  ${paint('dim', name.padEnd(12))}  ${inLine(text)}`] : [],
  );
  const head = agent.unwoken === undefined ? [] : fold(inLine(agent.unwoken), foldAt());
  const first = head.map((line) => `  ${paint('yellow', line)}\n`).join('');
  return `${paint('bold', inLine(agent.name))}  ${agent.id}\n${first}${shown.join('\n')}\n`;
}

/** As wide as the terminal that it is read in, less its margins. */
function foldAt(): number {
  return Math.min(80, process.stdout.columns ?? 80) - 4;
}
