import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { Verdict } from '../agents/status.ts';
import type { Screen } from '../providers/provider.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import type { Backend, Look } from '../terminals/backend.ts';
import type { Terminal } from '../terminals/terminal.ts';
import type { Life, Remains } from './life.ts';
import { findOwedReceipts } from './owed-receipts.ts';
import type { FleetParts } from './parts.ts';
import { RunningAgent } from './running-agent.ts';
import { Survivors } from './survivors.ts';

/** Until a program whose terminal was closed is looked at again. */
const soonMs = 1000;

/**
 * Who runs, and who is being worked on. Verbs that begin or end a life hold the agent meanwhile;
 * reconciling leaves those alone, so that a terminal that is just being made is no ghost and one
 * that is just being stopped is not mourned twice.
 */
export class Roster {
  readonly survivors: Survivors;
  readonly #running = new Map<string, RunningAgent>();
  readonly #remains = new Map<string, Remains & { readonly epoch: number }>();
  readonly #held = new Map<string, Promise<unknown>>();
  /** For each look at reality that is under way, whom verbs have let go of since it began. */
  readonly #looks = new Set<Set<string>>();
  readonly #parts: FleetParts;
  readonly #onGone: (backend: string) => void;

  constructor(parts: FleetParts, onGone: (backend: string) => void) {
    this.#parts = parts;
    this.survivors = new Survivors(parts.surroundings.clock);
    this.#onGone = onGone;
  }

  get(agent: string): RunningAgent | undefined {
    return this.#running.get(agent);
  }

  /**
   * Of that life, whether it runs or has ended while we watched; undefined when it was never seen
   * by this daemon.
   */
  remains(agent: string, epoch: number): Remains | undefined {
    const running = this.#running.get(agent);
    if (running?.life.epoch.epoch === epoch) return running.remains;
    const kept = this.#remains.get(agent);
    return kept?.epoch === epoch ? kept : undefined;
  }

  all(): readonly RunningAgent[] {
    return [...this.#running.values()];
  }

  /**
   * For whoever looks at reality first and at the ledger after it: an agent that was held since the
   * beginning may have been seen half way through a verb. What is remembered for that ends with the
   * look.
   */
  async look<T>(work: (wasHeld: (agent: string) => boolean) => Promise<T>): Promise<T> {
    const released = new Set<string>();
    this.#looks.add(released);
    try {
      return await work((agent) => this.#held.has(agent) || released.has(agent));
    } finally {
      this.#looks.delete(released);
    }
  }

  /** One verb at a time per agent; the next one waits for it, however it ended. */
  async hold<T>(agent: string, work: () => Promise<T>): Promise<T> {
    const before = this.#held.get(agent) ?? Promise.resolve();
    // Whoever held it before has its error.
    const mine = before.then(work, work);
    this.#held.set(agent, mine);
    try {
      return await mine;
    } finally {
      for (const released of this.#looks) released.add(agent);
      if (this.#held.get(agent) === mine) this.#held.delete(agent);
    }
  }

  /**
   * Begins to watch a life; the same one twice is watched once. `given`: what it was launched with,
   * where this daemon has launched it.
   */
  async watch(
    agent: Agent,
    epoch: Epoch,
    terminal: Terminal,
    given?: Life['given'],
  ): Promise<RunningAgent> {
    this.survivors.forget(agent.id);
    const present = this.#running.get(agent.id);
    if (present?.life.epoch.epoch === epoch.epoch) return present;
    await present?.close();
    const provider = await this.#parts.providers.find(epoch.provider);
    const judge = await this.#parts.providers.detector(provider, epoch.providerVersion);
    const backend = this.#parts.backends.of(epoch.backend);
    const detect = (look: Look): Verdict => judge(withSize(look, backend));
    const owedReceipts = await this.#parts.ledger.read((tx) => findOwedReceipts(tx, epoch));
    const facts = { agent, epoch, backend, terminal, provider, detect, owedReceipts };
    const life = { ...facts, ...(given ? { given } : {}) };
    const running = new RunningAgent(this.#parts, life, () => this.#onGone(backend.name));
    this.#running.set(agent.id, running);
    return running;
  }

  /** Of that epoch alone: a newer life is not forgotten for an older one's sake. */
  async forget(agent: string, epoch?: number): Promise<void> {
    const running = this.#running.get(agent);
    if (epoch !== undefined && running?.life.epoch.epoch !== epoch) return;
    this.#running.delete(agent);
    if (!running) return;
    this.#remains.set(agent, { ...running.remains, epoch: running.life.epoch.epoch });
    await running.close();
  }

  /** Something in that backend is about to change, and nothing will tell. */
  askSoon(backend: string): void {
    setTimeout(() => this.#onGone(backend), soonMs).unref();
  }

  /** It was removed: there will be no next life. */
  drop(agent: string): void {
    this.#remains.delete(agent);
    this.survivors.forget(agent);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#held.values());
    await Promise.all([...this.#running.keys()].map((agent) => this.forget(agent)));
  }

  /** Throws for one that is not among the living. Without a terminal of ours it has no epoch. */
  async find(agent: string): Promise<{ agent: Agent; epoch: Epoch | undefined }> {
    const found = await this.#parts.ledger.read(async (tx) => {
      const row = await tx.agents.find(agent);
      return row && { agent: row, epoch: await tx.epochs.find(row.id, row.epoch) };
    });
    if (found && found.agent.removedAt === undefined) return found;
    throw new Fault('agent-not-found', `There is no agent ${quote(agent)}.`, 'See `signalbox ls`.');
  }
}

/** Where a backend does not know the size, what its looks say of it is the text's. */
function withSize(look: Look, { capabilities }: Backend): Screen {
  const { columns, rows } = look;
  return capabilities.size ? { ...look, size: { columns, rows } } : look;
}
