import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import { listTree } from '../shared/process-tree.ts';
import type { TerminalSight } from '../terminals/backend.ts';
import { endLife } from './end-life.ts';
import type { FleetParts } from './parts.ts';
import { parseTerminal, type Roster } from './roster.ts';
import { keepSnapshot } from './snapshot.ts';

/**
 * Brings ledger and reality together (B4): what lives is watched again, what ended is written down with its exit, what a
 * person left without a session gets one, and terminals of ours that no life claims are closed. Reality is read first and
 * the ledger after it: a life is in the ledger before its terminal exists, so a terminal without one is a ghost. When the
 * backend cannot be asked this throws, and nothing has been touched.
 */
export async function reconcile(parts: FleetParts, roster: Roster): Promise<void> {
  const sights = new Map<string, TerminalSight>();
  for (const sight of await parts.backend.list()) sights.set(keyOf(sight.terminal), sight);
  const lives = await parts.ledger.read(async (tx) => {
    const open = await tx.epochs.listOpen();
    return Promise.all(
      open.map(async (epoch) => ({ epoch, agent: await tx.agents.find(epoch.agent) })),
    );
  });
  for (const { epoch, agent } of lives) {
    const sight = sights.get(keyOf(epoch));
    sights.delete(keyOf(epoch));
    if (!agent || roster.isHeld(epoch.agent)) continue;
    await isolate(parts, epoch.agent, () => settle(parts, roster, { agent, epoch, sight }));
  }
  for (const ghost of sights.values()) {
    if (roster.isHeld(ghost.terminal.agent)) continue;
    await isolate(parts, ghost.terminal.agent, () => closeGhost(parts, ghost));
  }
}

interface Case {
  readonly agent: Agent;
  readonly epoch: Epoch;
  readonly sight: TerminalSight | undefined;
}

async function settle(parts: FleetParts, roster: Roster, found: Case): Promise<void> {
  const { agent, epoch, sight } = found;
  if (!sight) return settleUnseen(parts, roster, found);
  if (!sight.isAlive) return mourn(parts, roster, { ...found, sight });
  if (epoch.terminal === undefined) {
    // We died between the start of the terminal and the note of it.
    const terminal = JSON.stringify(sight.terminal);
    await parts.ledger.write((tx) => tx.epochs.setTerminal(epoch.agent, epoch.epoch, terminal));
  }
  const running = await roster.watch(agent, epoch, sight.terminal);
  if (!sight.isHomeless) return;
  if ((await parts.backend.rehome(sight.terminal, agent.name)) === 'gone') return;
  running.note('its tmux session was killed; the agent lives on in a new one');
  parts.announce.rehomed(agent);
}

/** The program ended; the terminal still shows its last screen. */
async function mourn(
  parts: FleetParts,
  roster: Roster,
  { agent, epoch, sight }: Case & { sight: TerminalSight },
): Promise<void> {
  await roster.forget(agent.id);
  await keepSnapshot(parts, sight.terminal);
  await endLife(parts, agent, epoch, {
    at: parts.surroundings.clock.now(),
    cause: 'exit',
    ...(sight.exitCode === undefined ? {} : { exitCode: sight.exitCode }),
    ...(sight.exitSignal === undefined ? {} : { exitSignal: sight.exitSignal }),
  });
  await parts.backend.closeTerminal(sight.terminal);
}

/**
 * No terminal carries this life any more. Its process counts, not the terminal: some CLIs survive a hangup. Such a one
 * cannot be seen or reached, is said to be just that, and waits for `stop` or its own end.
 */
async function settleUnseen(
  parts: FleetParts,
  roster: Roster,
  { agent, epoch }: Case,
): Promise<void> {
  const { clock } = parts.surroundings;
  const terminal = parseTerminal(epoch);
  await roster.forget(agent.id);
  if (terminal && listTree(terminal, []).length > 0) {
    if (agent.status === 'unknown' && agent.detail === terminalGone) return;
    const view = { status: 'unknown', detail: terminalGone, source: 'process' } as const;
    const since = clock.now();
    await parts.ledger.write((tx) => tx.agents.setStatus(agent.id, { ...view, since }));
    parts.announce.status(agent, { ...view, since, composer: 'unknown' });
    return;
  }
  const cause = epoch.terminal === undefined ? 'launch-failed' : 'terminal-gone';
  await endLife(parts, agent, epoch, { at: clock.now(), cause });
}

const terminalGone = 'its terminal is gone, its process lives';

async function closeGhost(parts: FleetParts, { terminal }: TerminalSight): Promise<void> {
  parts.log.info({ agent: terminal.agent, epoch: terminal.epoch }, 'closed a terminal of no life');
  await parts.backend.closeTerminal(terminal);
}

/** One broken agent harms no other (B14). */
async function isolate(parts: FleetParts, agent: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    parts.log.error({ agent, error: String(error) }, 'an agent could not be reconciled');
  }
}

function keyOf({ agent, epoch }: { agent: string; epoch: number }): string {
  return `${agent}/${epoch}`;
}
