import type { Run } from '../agents/run.ts';
import type { Surroundings } from '../delivery/claim.ts';
import type { Message } from '../messages/message.ts';
import type { Ledger } from '../store/ledger.ts';
import { describeLost } from './describe-run.ts';
import { endRun, type RunEnd } from './end-run.ts';
import { forgetSpooled, listSpooled, readSpooled } from './spool-run.ts';

export interface RunParts {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
  /** Where ends wait that could not be committed. */
  readonly spool: string;
}

/**
 * Tells the ends that nobody told (rule 32, O11): those that wait in a file, and those of wrappers
 * that are dead. Whoever looks does it, within the bounds of what is open; nothing to tell, nothing
 * written. Answers with their completions.
 */
export async function settleRuns(parts: RunParts): Promise<readonly Message[]> {
  const { ledger, surroundings, spool } = parts;
  const told: Message[] = [];
  for (const run of await ledger.read((tx) => tx.runs.listOpen())) {
    const end = await findEnd(parts, run);
    if (!end) continue;
    told.push(await endRun(ledger, surroundings, end));
  }
  // Also what was committed by somebody who died before the file was removed.
  for (const agent of await listSpooled(spool)) {
    const run = await ledger.read((tx) => tx.runs.find(agent));
    if (run?.endedAt !== undefined) await forgetSpooled(spool, agent);
  }
  return told;
}

/**
 * Undefined while it runs, or while nobody can read how it ended. The dead write no more: a file
 * that is not there after the judgement will never be.
 */
async function findEnd(
  { surroundings, spool }: RunParts,
  { agent, title, holder }: Run,
): Promise<RunEnd | undefined> {
  const isDead = surroundings.host.judge(holder) === 'dead';
  const spooled = await readSpooled(spool, agent);
  if (spooled === 'unreadable') return undefined;
  if (spooled || !isDead) return spooled;
  return { agent, outcome: 'unknown', body: describeLost(title) };
}
