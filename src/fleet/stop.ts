import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import { Fault } from '../shared/fault.ts';
import { endTree, listTree } from '../shared/process-tree.ts';
import type { TerminalSight } from '../terminals/backend.ts';
import { endLife } from './end-life.ts';
import type { StopResult } from './fleet.ts';
import { lifeMarks } from './launch.ts';
import type { FleetParts } from './parts.ts';
import { parseTerminal, type Roster } from './roster.ts';
import { keepSnapshot } from './snapshot.ts';

/** From SIGTERM to SIGKILL. Gemini CLI 0.61.0's launcher ignores the first. */
const patienceMs = 3000;

export type StopCause = 'stopped' | 'restarted' | 'removed';

/**
 * Ends one life for good: the whole process tree and everything that carries the life's marks, verified, and then its
 * terminal. A hangup alone is not enough: Gemini CLI 0.61.0 survives it more often than not. The caller holds the agent.
 */
export async function stopLife(
  parts: FleetParts,
  roster: Roster,
  { agent, epoch }: { agent: Agent; epoch: Epoch | undefined },
  cause: StopCause,
): Promise<StopResult> {
  if (!epoch || epoch.endedAt !== undefined) return { outcome: 'already', killed: 0 };
  const terminal = parseTerminal(epoch);
  await roster.forget(agent.id);
  if (terminal) {
    await keepSnapshot(parts, terminal).catch((error: unknown) => {
      parts.log.warn({ agent: agent.id, error: String(error) }, 'no snapshot could be kept');
    });
  }
  const find = () => listTree(terminal, lifeMarks(epoch));
  const { killed, left } = await endTree(find, parts.surroundings.clock, patienceMs);
  if (left.length > 0) {
    throw new Fault(
      'stop-failed',
      `"${agent.name}" still has processes that cannot be ended: ${left.map(({ pid }) => pid).join(', ')}.`,
      'End them by hand, then stop it again.',
    );
  }
  const sight = await findSight(parts, epoch);
  const exit = {
    ...(sight?.exitCode === undefined ? {} : { exitCode: sight.exitCode }),
    ...(sight?.exitSignal === undefined ? {} : { exitSignal: sight.exitSignal }),
  };
  await endLife(parts, agent, epoch, { at: parts.surroundings.clock.now(), cause, ...exit });
  if (sight) await parts.backend.closeTerminal(sight.terminal);
  return { outcome: 'stopped', killed, ...exit };
}

/** Its processes are gone; a backend that cannot be asked leaves a dead terminal, which the next reconciliation closes. */
async function findSight(parts: FleetParts, epoch: Epoch): Promise<TerminalSight | undefined> {
  try {
    const sights = await parts.backend.list();
    return sights.find(
      ({ terminal }) => terminal.agent === epoch.agent && terminal.epoch === epoch.epoch,
    );
  } catch (error) {
    parts.log.warn({ agent: epoch.agent, error: String(error) }, 'stopped without its backend');
    return undefined;
  }
}
