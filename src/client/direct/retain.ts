import { join } from 'node:path';
import { type Folders, logFolder } from '../../config/folders.ts';
import { prune, pruneInPassing } from '../../delivery/prune.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Context } from './context.ts';

type Parts = Pick<Context, 'ledger' | 'surroundings' | 'settings'>;

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
 * In memory, while it is written anew. A person asked for it, and no agent waits for this process.
 */
const mostRebuilt = 1024 * 1024 * 1024;

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
  const agents = await forgetAgents(ledger, clock, retentionMs);
  if (agents.length > 0)
    fixed.push(`${count(agents.length, 'agent')} forgotten that went before the retention`);
  const { sweepFiles } = await import('../../fleet/sweep-files.ts');
  const swept = {
    snapshots: join(folders.state, 'snapshots'),
    logs: join(logFolder(folders), 'agents'),
    run: join(folders.state, 'run', 'agents'),
  };
  const { removed, troubles } = await sweepFiles(
    { ledger, folders: swept },
    clock.now() - retentionMs,
  );
  if (removed > 0) fixed.push(`${count(removed, 'file')} removed of agents that are gone`);
  fixed.push(...troubles.map((trouble) => `not removed: ${trouble}`));
  return pruned + agents.length + (await giveBackAll(context));
}

async function giveBackAll({ ledger: { space } }: Parts): Promise<number> {
  let done = (await space.rebuild(mostRebuilt)) === 'rebuilt' ? 1 : 0;
  while (await space.giveBack()) done++;
  await space.emptyLog();
  return done;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
