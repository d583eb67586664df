import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../providers/record-files.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import type { FleetParts } from './parts.ts';

export interface Swept {
  readonly removed: number;
  /** What could not be looked at or removed; the next round tries again. */
  readonly troubles: readonly string[];
}

type Folders = Pick<FleetParts['folders'], 'snapshots' | 'logs' | 'run'>;

/**
 * Files of agents that are gone follow retention: the last screens of removed agents, and what a
 * removal or the end of a life could not delete because the process died or the disk refused. A
 * file goes when it has not been written for that long, and the ledger knows that its agent was
 * removed that long ago, or knows no such agent. A look that failed removes nothing.
 */
export async function sweepFiles(
  { ledger, folders }: { readonly ledger: Pick<Ledger, 'read'>; readonly folders: Folders },
  before: number,
  signal?: AbortSignal,
): Promise<Swept> {
  const troubles: string[] = [];
  let removed = 0;
  for (const { folder, names, isOver } of kinds(folders)) {
    for (const name of await list(folder, troubles)) {
      if (signal?.aborted) return { removed, troubles };
      const [, agent, epoch] = names.exec(name) ?? [];
      if (agent === undefined) continue;
      try {
        const path = join(folder, name);
        if ((await stat(path)).mtimeMs >= before) continue;
        if (!(await ledger.read((tx) => isOver(tx, before, agent, Number(epoch))))) continue;
        await rm(path, { recursive: true, force: true });
        removed++;
      } catch (error) {
        // Somebody else was quicker, or it is told with the round.
        if (!isMissing(error)) troubles.push(`${name}: ${String(error)}`);
      }
    }
  }
  return { removed, troubles };
}

interface Kind {
  readonly folder: string;
  readonly names: RegExp;
  isOver(tx: LedgerTransaction, before: number, agent: string, epoch: number): Promise<boolean>;
}

function kinds({ snapshots, logs, run }: Folders): readonly Kind[] {
  return [
    { folder: snapshots, names: /^(agt_[0-9a-z]+)\.txt(?:\.new)?$/, isOver: isAgentOver },
    { folder: logs, names: /^(agt_[0-9a-z]+)\.log/, isOver: isAgentOver },
    { folder: run, names: /^(agt_[0-9a-z]+)-([0-9]+)$/, isOver: isLifeOver },
  ];
}

async function isAgentOver(tx: LedgerTransaction, before: number, id: string): Promise<boolean> {
  const agent = await tx.agents.find(id);
  return agent === undefined || (agent.removedAt ?? before) < before;
}

/** A life is in the ledger before its folder is made. */
async function isLifeOver(
  tx: LedgerTransaction,
  before: number,
  id: string,
  epoch: number,
): Promise<boolean> {
  const life = await tx.epochs.find(id, epoch);
  return life === undefined || (life.endedAt ?? before) < before;
}

async function list(folder: string, troubles: string[]): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (!isMissing(error)) troubles.push(`${folder}: ${String(error)}`);
    return [];
  }
}
