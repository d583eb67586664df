import type { Command } from 'commander';
import { Fault } from '../../shared/fault.ts';
import { writeJson, writeOut } from '../output.ts';
import { reportFailed } from '../report-failed.ts';
import { withClient } from '../run.ts';
import { example, jsonOption } from './options.ts';

interface WhichOptions {
  readonly session?: string;
  readonly json?: true;
}

/** Ends and begins lives: `stop` keeps the inbox, `restart` begins the next epoch. */
export function addLifeCommands(program: Command): void {
  stopCommand(program);
  restartCommand(program);
}

function stopCommand(program: Command): void {
  const command = program
    .command('stop [agents...]')
    .description('end their processes for good; inboxes and conversations stay')
    .option('--session <session>', 'every agent of this session');
  jsonOption(command);
  example(command, 'signalbox stop worker', 'signalbox stop --session checkout');
  command.action((names: string[], options: WhichOptions) =>
    withClient(async (client) => {
      const result = await client.stopAgents(which(names, options, 'stop'));
      const { done: stopped, failed } = result;
      reportFailed(failed);
      if (options.json) return writeJson({ stopped, ...(failed.length > 0 ? { failed } : {}) });
      const lines = stopped.map(({ name, outcome, killed }) => {
        if (outcome === 'already') return `${name} was not running\n`;
        return `${name} stopped${killed > 0 ? `; ${killed} processes had to be killed` : ''}\n`;
      });
      return writeOut(lines.join(''));
    }),
  );
}

function restartCommand(program: Command): void {
  const command = program
    .command('restart [agents...]')
    .description(
      'start them again, in the next epoch; the conversation is resumed where the CLI can',
    )
    .option('--session <session>', 'every agent of this session')
    .option('--fresh', 'begin a new conversation');
  jsonOption(command);
  example(command, 'signalbox restart worker', 'signalbox restart worker --fresh');
  command.action((names: string[], options: WhichOptions & { fresh?: true }) =>
    withClient(async (client) => {
      const chosen = which(names, options, 'restart');
      const result = await client.restartAgents(chosen, { fresh: options.fresh ?? false });
      const { done: agents, failed } = result;
      reportFailed(failed);
      if (options.json) return writeJson({ agents, ...(failed.length > 0 ? { failed } : {}) });
      return writeOut(
        agents.map(({ name, epoch }) => `${name} started, epoch ${epoch}\n`).join(''),
      );
    }),
  );
}

function which(names: readonly string[], { session }: WhichOptions, verb: string) {
  if (names.length > 0 || session !== undefined) {
    return session === undefined ? { names } : { names, session };
  }
  throw new Fault('usage', `Nobody to ${verb}.`, 'Name agents, or give --session.');
}
