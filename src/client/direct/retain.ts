import { join } from 'node:path';
import { type Folders, logFolder, snapshotFolder } from '../../config/folders.ts';
import { prune, pruneInPassing } from '../../delivery/prune.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { formatSize } from '../../shared/units.ts';
import type { DirectContext } from './context.ts';

type Parts = Pick<DirectContext, 'ledger' | 'surroundings' | 'settings'>;

/**
 * Messages that a command looks at for the sake of removed agents. With more of them the daemon
 * does it, or `doctor --fix`.
 */
const mostMessages = 20_000;
/** Steps of giving free pages back. */
const steps = 4;
/** Nobody waits for it, and everything else goes before it. */
const waitMs = 50;

/**
 * The share of retention that a command does after it has answered (`delivery/prune.ts`). It fails
 * no command.
 */
export async function retainInPassing({ ledger, surroundings, settings }: Parts): Promise<void> {
  const { clock } = surroundings;
  const retentionMs = settings.retention.value;
  const did = await pruneInPassing(ledger, clock, retentionMs);
  if (did === undefined) return;
  try {
    if (did === 'round') {
      const { forgetAgents } = await import('../../fleet/forget-agents.ts');
      await forgetAgents(ledger, clock, retentionMs, { waitMs, mostMessages });
    }
    for (let i = 0; i < steps; i++) if (!(await ledger.space.giveBack({ waitMs }))) break;
  } catch (error) {
    // The command itself has told what matters; the next one tries again.
    reportBug('retention in passing', error);
  }
}

/**
 * In memory, while it is written anew; nobody else can write meanwhile, about 12 ms for each MiB.
 * While agents run and no daemon does, their hooks commit the ends of turns themselves and wait 10
 * s for the ledger: it may take a second then, as at a start of the daemon.
 */
const mostRebuilt = { alone: 1024 * 1024 * 1024, besideAgents: 64 * 1024 * 1024 } as const;

/** All that is due, at once; what was done, in words. Returns how much of it there was. */
export async function retainNow(
  context: Parts & { readonly folders: Folders },
  fixed: string[],
): Promise<number> {
  const { ledger, surroundings, settings, folders } = context;
  const { clock } = surroundings;
  const retentionMs = settings.retention.value;
  const pruned = await prune(ledger, clock, retentionMs);
  if (pruned > 0)
    fixed.push(`${count(pruned, 'message')} pruned that settled before the retention`);
  const { forgetAgents } = await import('../../fleet/forget-agents.ts');
  const { agents, rows } = await forgetAgents(ledger, clock, retentionMs);
  if (agents.length > 0)
    fixed.push(`${count(agents.length, 'agent')} forgotten that went before the retention`);
  if (rows > 0) fixed.push(`${count(rows, 'row')} of earlier lives and old decisions removed`);
  const { sweepFiles } = await import('../../fleet/sweep-files.ts');
  const swept = {
    snapshots: snapshotFolder(folders),
    logs: join(logFolder(folders), 'agents'),
    run: join(folders.state, 'run', 'agents'),
  };
  const { removed, troubles } = await sweepFiles(
    { ledger, folders: swept },
    clock.now() - retentionMs,
  );
  if (removed > 0) fixed.push(`${count(removed, 'file')} removed of agents that are gone`);
  fixed.push(...troubles.map((trouble) => `not removed: ${trouble}`));
  return pruned + agents.length + rows + (await giveBackAll(context, fixed));
}

async function giveBackAll({ ledger }: Parts, fixed: string[]): Promise<number> {
  const { space } = ledger;
  const lives = await ledger.read((tx) => tx.epochs.listOpen());
  const bound = lives.length > 0 ? mostRebuilt.besideAgents : mostRebuilt.alone;
  const outcome = await space.rebuild(bound);
  if (outcome === 'too-large') {
    const size = `more than ${formatSize(bound)} of it are in use`;
    fixed.push(
      lives.length > 0
        ? `the ledger's file was not written anew: ${size}, and agents run, whose hooks would wait too long; stop them with \`signalbox stop --all\`, and run \`signalbox doctor --fix\` again`
        : `the ledger's file was not written anew: ${size}; it is tried again when retention has made it smaller`,
    );
  }
  let done = outcome === 'rebuilt' ? 1 : 0;
  while (await space.giveBack()) done++;
  await space.emptyLog();
  return done;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
