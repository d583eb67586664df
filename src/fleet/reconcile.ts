import type { Agent } from '../agents/agent.ts';
import { endedItself } from '../agents/ending.ts';
import type { Epoch } from '../agents/epoch.ts';
import { Fault } from '../shared/fault.ts';
import { hasNoTerminal, readStartTime } from '../shared/processes.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Backend } from '../terminals/backend.ts';
import { lifeOnly, type Terminal, type TerminalSight } from '../terminals/terminal.ts';
import { damagedRow } from './damaged-row.ts';
import { discardUnborn } from './discard-unborn.ts';
import { endHelpers, endLeftovers } from './end-leftovers.ts';
import { endLife } from './end-life.ts';
import { endStranded, listStranded } from './end-stranded.ts';
import { keepTerminal } from './keep-terminal.ts';
import { causeFound, findOwnEnd } from './note-ending.ts';
import { parseTerminal } from './parse-terminal.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';
import { keepSnapshot } from './snapshot.ts';
import { stopLife } from './stop.ts';

/**
 * Brings ledger and reality together (B4): what lives is watched again, what ended is written down
 * with its exit, what a person left without a session gets one, and terminals of ours that no life
 * claims are closed. Reality is read first and the ledger after it: a life is in the ledger before
 * its terminal exists, so a terminal without one is a ghost. When the backend cannot be asked this
 * throws, and nothing has been touched. A life is judged by the backend that its epoch names, and
 * by no other.
 */
export function reconcile(parts: FleetParts, roster: Roster, backend: Backend): Promise<void> {
  return roster.look((wasHeld) => bringTogether(parts, roster, backend, wasHeld));
}

async function bringTogether(
  parts: FleetParts,
  roster: Roster,
  backend: Backend,
  wasHeld: (agent: string) => boolean,
): Promise<void> {
  const sights = new Map<string, TerminalSight>();
  for (const sight of await backend.list()) sights.set(keyOf(sight.terminal), sight);
  const isHere = (one: { readonly backend: string }): boolean => one.backend === backend.name;
  const { open, unborn, stranded } = await parts.ledger.read(async (tx) => ({
    open: await tx.epochs.listOpen(),
    unborn: (await tx.agents.list()).filter((agent) => isHere(agent) && agent.epoch === 0),
    stranded: await listStranded(tx),
  }));
  const lives = open.filter(isHere);
  requireOwnPids(parts, backend, lives, sights);
  for (const { agent, epoch } of lives) {
    const sight = sights.get(keyOf({ agent, epoch }));
    sights.delete(keyOf({ agent, epoch }));
    await take(agent, () => settle(parts, roster, { agent, epoch, backend, sight }));
  }
  // What claims to be a life elsewhere is not ended for that: its marks are that life's, too.
  for (const life of open) sights.delete(keyOf(life));
  for (const sight of sights.values()) {
    await take(sight.terminal.agent, () => closeGhost(parts, backend, sight));
  }
  // We died between the note of the agent and that of its first life: nothing was started, and its
  // name is free again.
  for (const { id } of unborn) {
    await take(id, () => discardUnborn(parts, id));
  }
  for (const id of stranded) await take(id, () => endStranded(parts, id));
  for (const { id, life } of roster.all()) {
    if (!isHere(life.epoch)) continue;
    const isOpen = lives.some(({ agent, epoch }) => agent === id && epoch === life.epoch.epoch);
    if (!isOpen) await take(id, () => roster.forget(id, life.epoch.epoch));
  }

  /**
   * What a verb has had in hand since we looked is not what we saw; one broken agent harms no other
   * (B14).
   */
  async function take(agent: string, work: () => Promise<void>): Promise<void> {
    if (wasHeld(agent)) return;
    try {
      await roster.hold(agent, work);
    } catch (error) {
      reportBug('reconciling an agent', error);
      parts.log.error({ agent, error: String(error) }, 'an agent could not be reconciled');
    }
  }
}

/**
 * In another pid namespace, such as a sandbox's, the agents' process numbers mean nothing: every
 * one of them would count as dead. Then nothing is judged, and a daemon that just starts gives up.
 */
function requireOwnPids(
  { surroundings }: FleetParts,
  { name }: Backend,
  lives: readonly Epoch[],
  sights: ReadonlyMap<string, TerminalSight>,
): void {
  const own = surroundings.host.identity.pidSpace;
  for (const life of lives) {
    const { pidSpace = own } = parseTerminal(life) ?? {};
    if (pidSpace === own || !sights.has(keyOf(life))) continue;
    throw new Fault(
      'backend-mismatch',
      `The agents in ${name} run in another pid namespace, so it cannot be told which of them live.`,
      'Run signalbox where they were launched, outside of a sandbox or container.',
    );
  }
}

interface Case {
  readonly agent: Agent;
  readonly epoch: Epoch;
  readonly backend: Backend;
}

async function settle(
  parts: FleetParts,
  roster: Roster,
  {
    agent: id,
    epoch: number,
    backend,
    sight,
  }: { agent: string; epoch: number; backend: Backend; sight: TerminalSight | undefined },
): Promise<void> {
  const found = await parts.ledger.read(async (tx) => {
    const [agent, epoch] = [await tx.agents.find(id), await tx.epochs.find(id, number)];
    return agent && epoch && epoch.endedAt === undefined ? { agent, epoch, backend } : undefined;
  });
  if (!found) return;
  const { agent, epoch } = found;
  if (!sight || sight.isHelpersOnly) return settleUnseen(parts, roster, found);
  if (!sight.isAlive) return mourn(parts, roster, { ...found, sight });
  const ending = findOwnEnd(epoch);
  // Before anything is put into it again: what has begun to end is ended, and comes back if it was
  // called.
  if (ending) return void (await stopLife(parts, roster, found, ending));
  // It was marked, and nothing of it had ended: all that decides it is asked anew.
  if (endedItself(agent)) await parts.ledger.write((tx) => tx.agents.setEnded(id, undefined));
  // We may have died between the start of the terminal and the note of it.
  await keepTerminal(parts, epoch, sight.terminal);
  const running = await roster.watch(agent, epoch, sight.terminal);
  if (!sight.isHomeless) return;
  if ((await backend.rehome(sight.terminal, agent.name)) === 'gone') return;
  running.note(`what held it in ${backend.name} was closed; the agent lives on in a new place`);
  parts.announce.rehomed(agent);
}

/** The program ended; the terminal still shows its last screen. */
async function mourn(
  parts: FleetParts,
  roster: Roster,
  { agent, epoch, backend, sight }: Case & { sight: TerminalSight },
): Promise<void> {
  await roster.forget(agent.id, epoch.epoch);
  await keepSnapshot(parts, backend, sight.terminal);
  await endLife(parts, agent, epoch, {
    at: parts.surroundings.clock.now(),
    cause: causeFound(epoch, 'exit'),
    ...(sight.exitCode === undefined ? {} : { exitCode: sight.exitCode }),
    ...(sight.exitSignal === undefined ? {} : { exitSignal: sight.exitSignal }),
  });
  // Before their terminals go, and with them the sight of what they have started.
  await endHelpers(parts, epoch);
  await backend.closeTerminal(sight.terminal);
}

/**
 * We see no terminal of this life. While its process lives, its status says so, and `stop` ends it;
 * if its terminal was closed for good, we end it after a while (`survivors.ts`).
 */
async function settleUnseen(parts: FleetParts, roster: Roster, found: Case): Promise<void> {
  const { agent, epoch, backend } = found;
  const { clock } = parts.surroundings;
  // Where it was nobody knows, and so not whether its process lives: nothing is ended for that.
  if (epoch.damaged?.includes('epochs.terminal')) throw damagedRow(agent, epoch);
  const terminal = parseTerminal(epoch);
  await roster.forget(agent.id, epoch.epoch);
  if (terminal && isAlive(terminal)) {
    const verdict = roster.survivors.judge(terminal);
    if (verdict === 'soon') roster.askSoon(backend.name);
    // It takes seconds, in which the others are not to wait (B14).
    if (verdict === 'due') {
      void roster.hold(agent.id, () => endSurvivor(parts, roster, found, terminal));
    }
    if (agent.status === 'unknown' && agent.detail === terminalGone) return;
    const view = { status: 'unknown', detail: terminalGone, source: 'process' } as const;
    const since = clock.now();
    await parts.ledger.write((tx) => tx.agents.setStatus(agent.id, { ...view, since }));
    parts.announce.status(agent, { ...view, since, composer: 'unknown' });
    return;
  }
  // Its helpers have no agent any more, and of a launch that failed nothing may run on.
  await (terminal ? endHelpers(parts, epoch) : endLeftovers(parts, epoch));
  await backend.closeTerminal(terminal ?? lifeOnly(epoch));
  const cause = causeFound(epoch, terminal ? 'terminal-gone' : 'launch-failed');
  await endLife(parts, agent, epoch, { at: clock.now(), cause });
}

async function endSurvivor(
  parts: FleetParts,
  roster: Roster,
  { agent, epoch, backend }: Case,
  terminal: Terminal,
): Promise<void> {
  const life = { agent: agent.id, epoch: epoch.epoch };
  // Another verb may have had it meanwhile, or its terminal was seen again.
  if (roster.get(agent.id) || !hasNoTerminal(terminal.pid)) return;
  try {
    parts.log.info(life, 'ending a program that outlived its terminal');
    const { left } = await endLeftovers(parts, epoch, terminal);
    const pids = left.map(({ pid }) => pid);
    if (left.length > 0) {
      parts.log.warn({ ...life, pids }, 'a program that outlived its terminal cannot be ended');
    } else await settle(parts, roster, { ...life, backend, sight: undefined });
  } catch (error) {
    reportBug('ending a program that outlived its terminal', error);
    parts.log.error({ ...life, error: String(error) }, 'a program could not be ended');
  }
}

const terminalGone = 'its terminal is gone, its process lives';

/**
 * Of no life that is open: of one that ended without us, or of a launch whose answer was lost. A
 * hangup is not enough.
 */
async function closeGhost(
  parts: FleetParts,
  backend: Backend,
  { terminal, isAlive: isRunning }: TerminalSight,
): Promise<void> {
  const { agent, epoch } = terminal;
  parts.log.info({ backend: backend.name, agent, epoch }, 'closed a terminal of no life');
  // Of one that has ended, what it left running is left alone, as at any other end.
  await (isRunning ? endLeftovers(parts, terminal, terminal) : endHelpers(parts, terminal));
  await backend.closeTerminal(terminal);
}

function isAlive({ pid, startedAt }: Terminal): boolean {
  return startedAt !== '' && readStartTime(pid) === startedAt;
}

function keyOf({ agent, epoch }: { agent: string; epoch: number }): string {
  return `${agent}/${epoch}`;
}
