import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { Home } from '../../client/uninstall/survey.ts';
import type { Uninstalled } from '../../protocol/printed.ts';
import { askYesNo } from '../ask.ts';
import { inLine, writeError, writeJson, writeOut } from '../output.ts';
import { reportFailed } from '../report-failed.ts';
import { tell } from '../run.ts';
import { example, jsonOption } from './options.ts';

interface UninstallOptions {
  readonly purge?: true;
  readonly yes?: true;
  readonly json?: true;
}

export function addUninstallCommand(program: Command): void {
  const command = program
    .command('uninstall')
    .description(
      'end every agent, daemon and tmux server of signalbox here, and print the line that removes the program',
    )
    .option(
      '--purge',
      'remove the ledger, logs and settings, too; worktrees with work in them stay',
    )
    .option('--yes', 'ask nothing; a script must give it');
  jsonOption(command);
  example(command, 'signalbox uninstall', 'signalbox uninstall --purge --yes');
  command.action(async (options: UninstallOptions) => {
    const { uninstall } = await import('../../client/uninstall/uninstall.ts');
    const isPurge = options.purge === true;
    const done = await uninstall(
      process.env,
      { purge: isPurge, isSure: options.yes === true },
      { ask: (homes) => askYesNo(describeHomes(homes, isPurge), 'End all of it?'), tell },
    );
    for (const { state, error, failed = [] } of done.homes) {
      reportFailed(failed);
      if (error) reportFailed([{ name: state, error }]);
    }
    if (!done.ended) process.exitCode = 1;
    return options.json ? writeJson<Uninstalled>(done) : report(done, isPurge);
  });
}

function describeHomes(homes: readonly Home[], isPurge: boolean): string {
  const lines = homes.flatMap(({ folders, daemon, agents, tmux, refused, unread }) => [
    folders.state,
    ...(refused ? [`  is left as it is: ${refused.message}`] : []),
    ...(unread ? [`  its agents are not known: ${unread.message}`] : []),
    ...(agents.length > 0 ? [`  ${countAgents(agents)}`] : []),
    ...(daemon ? [`  a daemon (pid ${daemon.pid}, signalbox ${daemon.version})`] : []),
    ...(tmux === undefined ? [] : [`  a tmux server (pid ${tmux})`]),
    ...(isPurge && !refused ? ['  its ledger, logs and settings will be removed'] : []),
    ...(!refused && !unread && agents.length === 0 && !daemon && tmux === undefined
      ? ['  nothing runs']
      : []),
  ]);
  return lines.map((line) => `${inLine(line)}\n`).join('');
}

function countAgents(agents: Home['agents']): string {
  const names = agents.map((one) => callName(one)).join(', ');
  return agents.length === 1 ? `the agent ${names}` : `${agents.length} agents: ${names}`;
}

function report({ ended, homes, command }: Uninstalled, isPurge: boolean): void {
  if (!ended) {
    writeError('signalbox: nothing was done');
    return;
  }
  if (homes.length === 0) writeOut('signalbox has not been used here\n');
  for (const home of homes) writeOut(`${describeEnd(home, isPurge).map(inLine).join('\n')}\n`);
  writeOut(`To remove the program:\n  ${inLine(command)}\n`);
}

function describeEnd(
  {
    state,
    config,
    agents,
    daemon,
    tmux,
    removed,
    kept = [],
    failed = [],
    notes = [],
    error,
  }: Uninstalled['homes'][number],
  isPurge: boolean,
): readonly string[] {
  if (error) return [`${state}: signalbox did not finish here; the error above says why`];
  const many = agents.length - failed.length;
  const ended = [
    ...(many > 0 ? [many === 1 ? '1 agent' : `${many} agents`] : []),
    ...(daemon === 'not-running' ? [] : ['the daemon']),
    ...(tmux === 'stopped' ? ['the tmux server'] : []),
  ];
  const folders = state === config ? state : `${state} and ${config}`;
  return [
    `${state}: ${ended.length > 0 ? `ended ${ended.join(', ')}` : 'nothing was running'}`,
    ...notes.map((note) => `  ${note}`),
    ...(removed ? [`  removed ${removed.length} files and folders`] : []),
    ...(isPurge
      ? []
      : [`  kept ${folders}; \`signalbox uninstall --purge\` removes what is in it`]),
    ...kept.map(({ path, why }) => `  kept ${path}: ${why}`),
  ];
}
