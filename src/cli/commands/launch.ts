import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AgentView } from '../../protocol/agents.ts';
import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { withTrust } from '../ask-trust.ts';
import { awaitStart, describeStart } from '../await-start.ts';
import { inLine, writeJson, writeOut } from '../output.ts';
import { reportNotes } from '../report-notes.ts';
import { reportUnwoken } from '../report-unwoken.ts';
import { reportVersion } from '../report-version.ts';
import { withClient } from '../run.ts';
import { attachTo } from './attach.ts';
import { example, gather, jsonOption, terminalOption } from './options.ts';

interface LaunchOptions {
  readonly name?: string;
  readonly session?: string;
  readonly parent?: string;
  readonly notify: boolean;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly model?: string;
  readonly terminal?: string;
  readonly worktree?: true;
  readonly attach?: true;
  readonly wait: boolean;
  readonly json?: true;
}

/** `tail` is what stands after `--`: arguments for the CLI itself. */
export function addLaunchCommand(program: Command, tail: readonly string[]): void {
  const command = program
    .command('launch <provider|profile> [message...]')
    .description('start an agent in its own terminal; [message] is sent as its first message')
    .option('--name <name>', 'its name; default: the profile or provider and a number')
    .option('--session <session>', 'the group it works in; default: that of its project')
    .option('--parent <agent>', 'the agent that gets its completions')
    .option('--no-notify', 'send its parent only the completions that answer a task')
    .option('--cwd <folder>', 'its working folder; default: this one (for an agent: its own)')
    .option('--worktree', 'work in a new git worktree on a new branch, made from its folder')
    .option('--env <K=V>', 'add a variable to its environment; repeatable', gather)
    .option('--model <model>', 'the model, as the CLI names it')
    .option('--attach', 'go to its terminal at once')
    .option('--no-wait', 'do not wait, for up to 10 s, until it is ready or asks you something');
  terminalOption(command, 'the backend of its terminal, for its whole life');
  jsonOption(command);
  example(
    command,
    'signalbox launch claude --name lead --session checkout',
    'signalbox launch codex --name worker --parent lead "Write the tests"',
    'signalbox launch reviewer --parent lead "Review the last commit"',
    'signalbox launch codex --name fixer --worktree "Fix issue 12 on a branch of your own"',
    'signalbox launch gemini --cwd ../api -- --approval-mode plan',
    'signalbox launch claude --terminal tmux --attach',
    'signalbox launch generic --name clock -- watch date',
  );
  command.action((provider: string, message: string[], options: LaunchOptions) =>
    withClient(async (client) => {
      const { session, parent, model, terminal } = options;
      const wanted = {
        provider,
        notify: options.notify,
        extraArgs: tail,
        extraEnv: parseVariables(options.env ?? []),
        ...(options.cwd === undefined ? {} : { cwd: resolve(options.cwd) }),
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(session === undefined ? {} : { session }),
        ...(parent === undefined ? {} : { parent }),
        ...(model === undefined ? {} : { model }),
        ...(terminal === undefined ? {} : { terminal }),
        ...(options.worktree ? { worktree: true } : {}),
        ...(message.length === 0 ? {} : { message: message.join(' ') }),
      };
      const cwd = options.cwd ?? '.';
      const worktree = options.worktree === true;
      // Only the user is asked, for whom that is the folder.
      const review = () => ({ target: provider, cwd: resolve(cwd), worktree });
      const isScripted = options.json === true;
      const launched = await withTrust(review, isScripted, () => client.launch(wanted));
      const waits = options.wait && !options.attach;
      const name = await client.nameOf(launched.id);
      if (!isScripted) report(launched, name, message.length > 0);
      reportNotes(launched.notes);
      const agent = waits ? await awaitStart(client, launched, { json: isScripted }) : undefined;
      if (isScripted) writeJson<AgentView>({ ...launched, ...agent });
      else if (agent) writeOut(`${inLine(describeStart(agent, name))}\n`);
      if (options.attach) await attachTo(client, name);
    }),
  );
}

function report(agent: AgentView, name: string, hasMessage: boolean): void {
  const by = agent.profile === undefined ? '' : ` by the profile ${agent.profile}`;
  const first = hasMessage ? '; its first message is queued' : '';
  const { worktree } = agent;
  writeOut(
    // `--json` and `status` have the id: beside a profile's name it does not fit 80 columns.
    `${inLine(`${name} launched${by}, session ${agent.session}`)}${first}\n` +
      (worktree
        ? `  its worktree: ${inLine(worktree.path)}, branch ${inLine(worktree.branch)}\n`
        : '') +
      `  see it: signalbox attach ${inLine(name)}\n`,
  );
  reportUnwoken(agent.unwoken, hasMessage ? 'Its first message' : undefined);
  reportVersion(agent);
}

function parseVariables(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new Fault('usage', `${quote(pair, 40)} is not a variable.`, 'Write --env NAME=value.');
    }),
  );
}
