import { setTimeout as delay } from 'node:timers/promises';
import { findControlClient, findServer } from '../../../src/demo/tmux-by-hand.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { ProcessRef } from '../../../src/shared/process-tree.ts';
import { readStartTime } from '../../../src/shared/processes.ts';
import type { Random } from '../random.ts';
import { readNotes, sizeOfJournal } from './journal.ts';
import type { Station } from './station.ts';

const victims = ['daemon', 'agent', 'control-client', 'pause', 'tmux-server'] as const;
type Victim = (typeof victims)[number];

/** After each was had once. A server takes everybody with it, so it is rare. */
const later: readonly Victim[] = [
  ...(['daemon', 'daemon', 'daemon', 'daemon', 'agent', 'agent', 'agent', 'agent'] as const),
  ...(['control-client', 'control-client', 'control-client', 'pause', 'pause'] as const),
  'tmux-server',
];

/** Kills with -9, or stops for a moment, one part after the other. */
export class Killer {
  readonly count = new Map<Victim, number>(victims.map((victim) => [victim, 0]));
  readonly #station: Station;
  readonly #random: Random;

  constructor(station: Station, random: Random) {
    this.#station = station;
    this.#random = random;
  }

  async run(isLoaded: () => boolean): Promise<void> {
    const first = shuffle(victims, this.#random);
    while (isLoaded()) {
      await delay(this.#random.between(400, 1800));
      if (!isLoaded()) return;
      const victim = first.shift() ?? this.#random.pick(later);
      const isDone = await this.#act(victim, isLoaded);
      if (isDone) this.count.set(victim, (this.count.get(victim) ?? 0) + 1);
      else if (this.count.get(victim) === 0) first.push(victim);
    }
  }

  async #act(victim: Victim, isLoaded: () => boolean): Promise<boolean> {
    const { home } = this.#station;
    switch (victim) {
      case 'daemon':
        if (this.#random.chance(0.6)) await this.#untilSomebodyReads(isLoaded);
        return signal(this.#station.daemon(), 'SIGKILL');
      case 'agent': {
        const agent = this.#random.pick(this.#station.agents);
        if (this.#random.chance(0.6)) await this.#untilSomebodyReads(isLoaded, [agent]);
        return signal(this.#findAgent(agent), 'SIGKILL');
      }
      case 'control-client':
        if (this.#random.chance(0.6)) await this.#untilSomebodyReads(isLoaded);
        return signal(toRef(await findControlClient(home)), 'SIGKILL');
      case 'tmux-server':
        return signal(toRef(await findServer(home)), 'SIGKILL');
      case 'pause': {
        const daemon = this.#station.daemon();
        if (!signal(daemon, 'SIGSTOP')) return false;
        await delay(this.#random.between(200, 1500));
        return signal(daemon, 'SIGCONT');
      }
    }
  }

  /** The moments between a paste and what is written down of it are short: they are looked for. */
  async #untilSomebodyReads(
    isLoaded: () => boolean,
    agents: readonly string[] = this.#station.agents,
  ): Promise<void> {
    const size = (): number =>
      agents.reduce((sum, name) => sum + sizeOfJournal(this.#station.home, name), 0);
    const before = size();
    const end = systemClock.monotonicMs() + 2000;
    while (isLoaded() && size() === before && systemClock.monotonicMs() < end) await delay(5);
    await delay(
      this.#random.chance(0.5) ? this.#random.between(0, 30) : this.#random.between(0, 600),
    );
  }

  #findAgent(agent: string): ProcessRef | undefined {
    const started = readNotes(this.#station.home, agent).findLast(({ what }) => what === 'started');
    return started?.what === 'started' ? started : undefined;
  }
}

/** Only the very process that is meant. */
function signal(ref: ProcessRef | undefined, name: NodeJS.Signals): boolean {
  if (!ref || readStartTime(ref.pid) !== ref.startedAt) return false;
  try {
    return process.kill(ref.pid, name);
  } catch {
    return false;
  }
}

function toRef(pid: number | undefined): ProcessRef | undefined {
  const startedAt = pid === undefined ? undefined : readStartTime(pid);
  return pid === undefined || startedAt === undefined ? undefined : { pid, startedAt };
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const keyed = items.map((item) => ({ item, at: random.next() }));
  return keyed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
