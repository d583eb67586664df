import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { AgentView, Removed, RemoveResult } from '../../protocol/agents.ts';
import { Fault } from '../../shared/fault.ts';
import { confirmEnd } from '../confirm-end.ts';
import { inLine, writeError, writeJson, writeOut } from '../output.ts';
import { reportFailed } from '../report-failed.ts';
import { withClient } from '../run.ts';
import { addListCommand } from './ls.ts';
import { example, jsonOption } from './options.ts';

export function addAgentCommands(program: Command): void {
  const agents = program.command('agents').description('add, list and remove agents');
  example(agents, 'signalbox agents add worker', 'signalbox agents ls --json');
  addCommand(agents);
  // `ls` and `rm` are typed so often that they also stand at the top.
  for (const parent of [agents, program]) {
    addListCommand(parent);
    removeCommand(parent);
  }
}

function addCommand(parent: Command): void {
  const command = parent
    .command('add <name>')
    .description('add an agent that has no terminal in signalbox and pulls its own messages')
    .option('--session <session>', 'the group it works in; default: that of this project')
    .option('--parent <agent>', 'the agent that gets its completions')
    .option('--no-notify', 'send its parent only the completions that answer a task');
  jsonOption(command);
  example(command, 'signalbox agents add worker --session checkout --parent lead');
  command.action(
    (name: string, options: { session?: string; parent?: string; notify: boolean; json?: true }) =>
      withClient(async (client) => {
        const { session, parent, notify } = options;
        const agent = await client.addAgent({
          name,
          notify,
          cwd: findWorkingFolder(),
          ...(session === undefined ? {} : { session }),
          ...(parent === undefined ? {} : { parent }),
        });
        if (options.json) return writeJson<AgentView>(agent);
        return writeOut(
          `${inLine(`${callName(agent)} added (${agent.id}), session ${agent.session}`)}\n`,
        );
      }),
  );
}

interface RemoveOptions {
  readonly session?: string;
  readonly yes?: true;
  readonly json?: true;
}

function removeCommand(parent: Command): void {
  const command = parent
    .command('rm [agents...]')
    .description(
      'remove agents: end them, settle what is open in their inboxes and tell the senders',
    )
    .option('--session <session>', 'every agent of this session')
    .option('--yes', 'do not ask before an agent at work is removed');
  jsonOption(command);
  example(command, 'signalbox rm worker');
  command.action(async (names: string[], options: RemoveOptions) => {
    const { session } = options;
    if (names.length === 0 && session === undefined) {
      throw new Fault('usage', 'You named no agent to remove.', 'Name agents, or give --session.');
    }
    await withClient(async (client) => {
      const which = session === undefined ? { names } : { names, session };
      const isSure = options.yes === true || options.json === true;
      const chosen = await confirmEnd(client, which, 'remove', { isSure });
      if (!chosen) return undefined;
      const result = await client.removeAgents(chosen);
      reportFailed(result.failed ?? []);
      if (options.json) return writeJson<RemoveResult>(result);
      const lines = result.removed.map(
        (removed) =>
          `${inLine(callName(removed))} removed${describeOpen(removed)}\n${describeKept(removed.worktree)}`,
      );
      writeOut(lines.join(''));
      for (const { troubles = [], ...agent } of result.removed) {
        for (const trouble of troubles) writeError(`signalbox: ${callName(agent)}: ${trouble}`);
      }
      return undefined;
    });
  });
}

/** What was open in its inbox, apart by whether it was read (rule 35). */
function describeOpen({ settled, maybeRead, read }: Removed): string {
  const never = settled - maybeRead;
  const fates = [
    ...(read > 0 ? [`${read} ${read === 1 ? 'was' : 'were'} read`] : []),
    ...(maybeRead > 0 ? [`${maybeRead} may have been read`] : []),
    ...(never > 0 ? [`${never} never read`] : []),
  ];
  if (fates.length === 0) return '';
  return `: of its open messages ${fates.join(', ')}${settled > 0 ? '; living senders told' : ''}`;
}

function describeKept(worktree: Removed['worktree']): string {
  if (worktree?.outcome !== 'kept') return '';
  const { path, branch, reason = '' } = worktree;
  return `${inLine(`  its worktree is kept at ${path}, branch ${branch}: ${reason}`)}\n`;
}

/**
 * Empty when the folder we were started in has been deleted meanwhile: an agent can be added from
 * there all the same.
 */
export function findWorkingFolder(): string {
  try {
    return process.cwd();
  } catch {
    // It can fail in no other way.
    return '';
  }
}
