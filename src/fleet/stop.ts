import type { Agent } from '../agents/agent.ts';
import { comesBack, type EndedBy } from '../agents/ending.ts';
import type { Epoch } from '../agents/epoch.ts';
import { callName } from '../agents/reference.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import type { ProcessRef } from '../shared/process-tree.ts';
import { reportBug } from '../shared/report-bug.ts';
import { noteDone } from '../shared/unwritten.ts';
import { lifeOnly, type Terminal, type TerminalSight } from '../terminals/terminal.ts';
import { endLeftovers } from './end-leftovers.ts';
import { endLife } from './end-life.ts';
import { endStranded } from './end-stranded.ts';
import type { StopResult } from './fleet.ts';
import { noteEnding } from './note-ending.ts';
import { parseTerminal } from './parse-terminal.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';
import { keepSnapshot } from './snapshot.ts';

/**
 * `task-done`, `rested`: nobody stopped it; it had nothing left to do (`workers/decide-end.ts`).
 */
export type StopCause = 'stopped' | 'restarted' | 'removed' | 'task-done' | 'rested';

/**
 * Ends one life for good: its processes, verified, and then its terminal. That it will end is noted
 * first, so a ledger that cannot be written refuses before anything has ended. The caller holds the
 * agent.
 */
export async function stopLife(
  parts: FleetParts,
  roster: Roster,
  { agent, epoch }: { agent: Agent; epoch: Epoch | undefined },
  cause: StopCause,
  by?: EndedBy,
): Promise<StopResult> {
  if (!epoch) return { outcome: 'already', killed: 0 };
  if (epoch.endedAt !== undefined) {
    await keepStopped(parts, agent, by);
    // What it left behind must not go on beside its next life.
    return stopLeftovers(parts, agent, epoch);
  }
  const terminal = parseTerminal(epoch);
  await noteEnding(parts, epoch, cause, by);
  await roster.forget(agent.id);
  if (terminal) {
    await keepLast(parts, epoch, terminal);
  }
  const { killed, left } = await endLeftovers(parts, epoch, terminal);
  refuseLeft(agent, left);
  await reachFailPoint('stop.ended');
  const sight = await findSight(parts, epoch);
  const exit = {
    ...(sight?.exitCode === undefined ? {} : { exitCode: sight.exitCode }),
    ...(sight?.exitSignal === undefined ? {} : { exitSignal: sight.exitSignal }),
  };
  const end = { at: parts.surroundings.clock.now(), cause, ...exit };
  await noteDone(describeUnrecorded(agent, cause), () => endLife(parts, agent, epoch, end));
  await closeAll(parts, epoch, sight?.terminal ?? lifeOnly(epoch));
  return { outcome: 'stopped', killed, ...exit };
}

/**
 * Somebody stops a worker that has ended: it does not come back by itself any more, also where it
 * was called back already. Those who called it are told. What an agent stops comes back as before.
 */
async function keepStopped(
  parts: FleetParts,
  { id }: Pick<Agent, 'id'>,
  by: EndedBy | undefined,
): Promise<void> {
  if (by === undefined) return;
  const wasCalled = await parts.ledger.write(async (tx) => {
    const agent = await tx.agents.find(id);
    if (!agent || !comesBack(agent)) return false;
    if (by === 'person') await tx.agents.setEnded(id, by);
    else await tx.agents.dropCall(id);
    return agent.calledBy !== undefined;
  });
  if (wasCalled) await endStranded(parts, id);
}

/** The next reconciliations try to record it, every 10 s. */
function describeUnrecorded(agent: Agent, cause: StopCause): string {
  const rest = {
    stopped: '',
    restarted: ' It was not started again.',
    removed: ' It was not removed, and its messages are as they were.',
    'task-done': '',
    rested: '',
  }[cause];
  return `"${callName(agent)}" was ended, but the ledger does not say so yet; the daemon records it once the ledger can be written.${rest}`;
}

async function keepLast(parts: FleetParts, epoch: Epoch, terminal: Terminal): Promise<void> {
  try {
    await keepSnapshot(parts, parts.backends.of(epoch.backend), terminal);
  } catch (error) {
    reportBug('the last snapshot of an agent', error);
    parts.log.warn({ agent: epoch.agent, error: String(error) }, 'no snapshot could be kept');
  }
}

/** Its helpers' terminals, too, also where its own is gone. */
async function closeAll(parts: FleetParts, epoch: Epoch, terminal: Terminal): Promise<void> {
  try {
    await parts.backends.of(epoch.backend).closeTerminal(terminal);
  } catch (error) {
    // Its processes have ended; the next reconciliation closes what is left of its terminals.
    reportBug('closing the terminals of a stopped agent', error);
    const facts = { agent: epoch.agent, error: String(error) };
    parts.log.warn(facts, 'its terminals could not be closed yet');
  }
}

async function stopLeftovers(parts: FleetParts, agent: Agent, epoch: Epoch): Promise<StopResult> {
  const { found, killed, left } = await endLeftovers(parts, epoch);
  refuseLeft(agent, left);
  if (found > 0) await closeAll(parts, epoch, lifeOnly(epoch));
  return { outcome: found > 0 ? 'stopped' : 'already', killed };
}

function refuseLeft(agent: Agent, left: readonly ProcessRef[]): void {
  if (left.length === 0) return;
  throw new Fault(
    'stop-failed',
    `"${callName(agent)}" still has processes that cannot be ended: ${left.map(({ pid }) => pid).join(', ')}.`,
    'End them by hand, then stop it again.',
  );
}

/**
 * Its processes are gone; a backend that cannot be asked leaves a dead terminal, which the next
 * reconciliation closes.
 */
async function findSight(parts: FleetParts, epoch: Epoch): Promise<TerminalSight | undefined> {
  try {
    const sights = await parts.backends.of(epoch.backend).list();
    return sights.find(
      ({ terminal }) => terminal.agent === epoch.agent && terminal.epoch === epoch.epoch,
    );
  } catch (error) {
    reportBug('finding the terminal of a stopped agent', error);
    parts.log.warn({ agent: epoch.agent, error: String(error) }, 'stopped without its backend');
    return undefined;
  }
}
