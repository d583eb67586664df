import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import { noteVisit, readVisits } from '../../client/attach-visits.ts';
import type { Client } from '../../client/client.ts';
import { findFolders } from '../../config/folders.ts';
import type { AttachView } from '../../protocol/terminals.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { keepAbsolute } from '../../shared/find-on-path.ts';
import { shellWord } from '../../shared/shell-word.ts';
import { findNext, listWaiters, tellWaiters } from '../attach-next.ts';
import { inLine, writeError, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { example, jsonOption } from './options.ts';

export function addAttachCommand(program: Command): void {
  const command = program
    .command('attach [agent]')
    .description(
      'go to an agent’s terminal; leave it with Ctrl-], or the key that its last line shows (in herdr with its own)',
    )
    .option('--next', 'go to the agent that has waited for you longest; again, to the next one');
  jsonOption(command);
  example(
    command,
    'signalbox attach lead',
    'signalbox attach --next',
    'signalbox attach lead --json   # the command alone',
  );
  command.action((agent: string | undefined, options: AttachOptions) =>
    withClient(async (client) => {
      const way = await findWay(client, agent, options);
      return options.json ? writeJson<AttachView>(way) : follow(client, way);
    }),
  );
}

interface AttachOptions {
  readonly next?: true;
  readonly json?: true;
}

async function findWay(
  client: Client,
  agent: string | undefined,
  { next }: AttachOptions,
): Promise<AttachView> {
  if (next === undefined && agent !== undefined) return client.attachCommand(agent);
  if (next === undefined || agent !== undefined) {
    throw new Fault(
      'usage',
      next ? '`--next` chooses the agent itself.' : 'No agent is named.',
      'Give one agent, or `--next` alone.',
    );
  }
  return findNext(client, readVisits(findFolders(process.env)), writeError);
}

/** The agent lives on when the person leaves; our exit code is the attached program's. */
export async function attachTo(client: Client, wanted: string): Promise<void> {
  return follow(client, await client.attachCommand(wanted));
}

async function follow(client: Client, { argv, agent }: AttachView): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Fault(
      'usage',
      'Attaching needs a terminal.',
      `From one, run \`${argv.map(shellWord).join(' ')}\`; to read from a script, use \`signalbox output ${shellWord(callName(agent))}\`.`,
    );
  }
  const waiting = await listWaiters(client, { startsNothing: true });
  noteVisit(findFolders(process.env), agent.id, { now: systemClock.now(), waiting });
  const code = await runAttached(argv);
  if (code !== 0) process.exitCode = code;
  // From inside the same tmux or herdr the person is there now, and not back here.
  const isBack = !argv.includes('switch-client') && !argv.includes('focus');
  const left = isBack ? tellWaiters(await listWaiters(client, { startsNothing: true })) : undefined;
  if (left !== undefined) writeOut(`${inLine(left)}\n`);
}

async function runAttached([program = '', ...args]: readonly string[]): Promise<number> {
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
    return code ?? 1;
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
