import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import type { AttachView } from '../../protocol/terminals.ts';
import { Fault } from '../../shared/fault.ts';
import { keepAbsolute } from '../../shared/find-on-path.ts';
import { shellWord } from '../../shared/shell-word.ts';
import { writeJson } from '../output.ts';
import { withClient } from '../run.ts';
import { example, jsonOption } from './options.ts';

export function addAttachCommand(program: Command): void {
  const command = program
    .command('attach <agent>')
    .description(
      'go to an agent’s terminal; leave it with the detach key of tmux (Ctrl-b d) or herdr',
    );
  jsonOption(command);
  example(command, 'signalbox attach lead', 'signalbox attach lead --json   # the command alone');
  command.action((agent: string, options: { json?: true }) =>
    withClient(async (client) => {
      if (options.json) return writeJson<AttachView>(await client.attachCommand(agent));
      return attachTo(client, agent);
    }),
  );
}

/** The agent lives on when the person leaves; our exit code is the attached program's. */
export async function attachTo(client: Client, agent: string): Promise<void> {
  const { argv } = await client.attachCommand(agent);
  const [program = '', ...args] = argv;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Fault(
      'usage',
      'Attaching needs a terminal.',
      `From one, run \`${argv.map(shellWord).join(' ')}\`; to read from a script, use \`signalbox output ${shellWord(agent)}\`.`,
    );
  }
  // Found where it is installed, and never in the folder that one happens to be in (rule 46).
  const env = { ...process.env, PATH: keepAbsolute(process.env['PATH'] ?? '') };
  const child = spawn(program, args, { stdio: 'inherit', env });
  // The person's Ctrl-C is for the agent, not for us.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const [code] = (await once(child, 'exit').catch((error: unknown) => {
      throw notFound(program, error);
    })) as [number | null];
    if (code !== 0) process.exitCode = code ?? 1;
  } finally {
    process.off('SIGINT', ignore);
  }
}

function notFound(program: string, cause: unknown): Fault {
  return new Fault(
    'backend-missing',
    `signalbox could not run ${program} here: ${cause instanceof Error ? cause.message : String(cause)}.`,
    `Put ${program} on the PATH of this shell, then try again.`,
    { cause },
  );
}
