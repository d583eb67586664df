// Tests: test/integration/uninstall.test.ts, test/integration/faults-disk-lives.test.ts.

import { join } from 'node:path';
import type { Epoch } from '../../agents/epoch.ts';
import { callName } from '../../agents/reference.ts';
import { endLeftovers } from '../../fleet/end-leftovers.ts';
import { endLifeIn } from '../../fleet/end-life.ts';
import { parseTerminal } from '../../fleet/parse-terminal.ts';
import type { AgentName, Failed } from '../../protocol/agents.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { systemHost } from '../../shared/processes.ts';
import { UnwrittenFault } from '../../shared/unwritten.ts';
import { type Home, openLedger } from './survey.ts';

interface OpenLife {
  readonly epoch: Epoch;
  readonly name: string;
}

/** Lives that the ledger has as open; none where it cannot be read. */
export async function listLives({ folders, unread }: Home): Promise<readonly OpenLife[]> {
  const ledger = unread ? undefined : await openLedger(folders);
  if (!ledger) return [];
  try {
    return await ledger.read(async (tx) =>
      Promise.all(
        (await tx.epochs.listOpen()).map(async (epoch) => {
          const agent = await tx.agents.find(epoch.agent);
          return { epoch, name: agent ? callName(agent) : epoch.agent };
        }),
      ),
    );
  } finally {
    await ledger.close();
  }
}

/**
 * Ends the processes of lives that are still open, found as `stop` finds them, and records it. A
 * ledger that takes nothing keeps no process alive: whoever uninstalls may want the space.
 */
export async function endRest(
  home: Home,
  known: readonly OpenLife[],
): Promise<{ readonly failed: readonly Failed[]; readonly notes: readonly string[] }> {
  const { lives, trouble } = await listNow(home, known);
  const run = join(home.folders.state, 'run', 'agents');
  const parts = {
    folders: { run, logs: '', snapshots: '', worktrees: '', spool: '' },
    surroundings: { clock: systemClock, host: systemHost },
  };
  const failed: Failed[] = [];
  const ended: Epoch[] = [];
  for (const { epoch, name } of lives) {
    const { left } = await endLeftovers(parts, epoch, parseTerminal(epoch));
    if (left.length === 0) ended.push(epoch);
    else {
      const pids = left.map(({ pid }) => pid);
      failed.push(describe({ id: epoch.agent, name }, pids));
    }
  }
  const unrecorded = trouble ?? (ended.length > 0 ? await record(home, ended) : undefined);
  return { failed, notes: unrecorded === undefined ? [] : [tell(unrecorded)] };
}

async function listNow(
  home: Home,
  known: readonly OpenLife[],
): Promise<{ readonly lives: readonly OpenLife[]; readonly trouble?: UnwrittenFault }> {
  try {
    return { lives: await listLives(home) };
  } catch (error) {
    if (!(error instanceof UnwrittenFault)) throw error;
    return { lives: known, trouble: error };
  }
}

async function record(
  { folders }: Home,
  ended: readonly Epoch[],
): Promise<UnwrittenFault | undefined> {
  try {
    const ledger = await openLedger(folders);
    if (!ledger) return undefined;
    try {
      const end = { at: systemClock.now(), cause: 'stopped' };
      for (const epoch of ended) await ledger.write((tx) => endLifeIn(tx, epoch, end));
    } finally {
      await ledger.close();
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof UnwrittenFault)) throw error;
    return error;
  }
}

function tell({ why }: UnwrittenFault): string {
  return `That the agents have ended is not in the ledger: ${why} The next daemon records it.`;
}

function describe({ id, name }: AgentName, pids: readonly number[]): Failed {
  const { code, message, next } = new Fault(
    'stop-failed',
    `"${name}" still has processes that cannot be ended: ${pids.join(', ')}.`,
    'End them by hand, then run `signalbox uninstall` again.',
  );
  return { id, name, error: { code, message, next } };
}
