import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { type Folders, snapshotFolder } from '../config/folders.ts';
import { describeEnd } from '../fleet/end-life.ts';
import { readSnapshot } from '../fleet/snapshot.ts';
import type { Finding } from '../protocol/doctor.ts';
import { tellLastWords } from '../shared/last-words.ts';
import { formatSpan } from '../shared/units.ts';
import type { Ledger } from '../store/ledger.ts';

/** A CLI that refuses to start, for want of a login say, has ended by then. */
const startMs = 10_000;

/** Agents whose last life ended at its start, each with what it said (rule 48). */
export async function findFailedStarts(
  ledger: Ledger,
  folders: Folders,
  agents: readonly Agent[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const agent of agents) {
    const { id, epoch: number, status } = agent;
    if (status !== 'exited') continue;
    const name = callName(agent);
    const epoch = await ledger.read((tx) => tx.epochs.find(id, number));
    const { startedAt, endedAt, endCause: cause = 'exit' } = epoch ?? {};
    if (startedAt === undefined || endedAt === undefined || !failed.has(cause)) continue;
    const lastedMs = Math.max(0, endedAt - startedAt);
    if (lastedMs > startMs) continue;
    const parts = { folders: { snapshots: snapshotFolder(folders) } };
    const said = tellLastWords(await readSnapshot(parts, id, startedAt));
    const how = describeEnd({ ...epoch, at: endedAt, cause });
    findings.push({
      what: `"${name}" ended ${formatSpan(lastedMs)} after it started: ${how}. ${said}`,
      next: `Fix what it says, then run \`signalbox restart ${name}\`, or \`signalbox rm ${name}\`.`,
    });
  }
  return findings;
}

/** Not one that a person stopped or started again. */
const failed: ReadonlySet<string> = new Set(['exit', 'terminal-gone', 'launch-failed']);
