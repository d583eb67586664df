import type { EpochEnd } from '../../../src/agents/epoch-store.ts';
import type { StatusSource, StatusView } from '../../../src/agents/status.ts';
import { endLifeIn } from '../../../src/fleet/end-life.ts';
import type { Life as FleetLife } from '../../../src/fleet/life.ts';
import type { FleetParts } from '../../../src/fleet/parts.ts';
import { TurnWatch } from '../../../src/fleet/watch-turns.ts';
import type { TurnNews } from '../../../src/providers/way-in.ts';
import type { FakeAgent } from '../agent.ts';
import { FakeDaemon } from '../daemon.ts';
import { tellingOf } from './tellings.ts';
import type { TeamWorld } from './world.ts';

interface Watched {
  readonly epoch: number;
  readonly watch: TurnWatch;
  shown: StatusView;
}

const sources = { hook: 'hook', state: 'state', status: 'screen' } as const;

/** A daemon with as much of the real fleet as turns need: their watch, and the end of a life. */
export class TeamDaemon extends FakeDaemon {
  readonly #world: TeamWorld;
  readonly #watched = new Map<string, Watched>();

  constructor(world: TeamWorld) {
    super(world, world.limits, world.agents);
    this.#world = world;
  }

  override watch(agent: FakeAgent): boolean {
    const isNew = super.watch(agent);
    if (isNew) void this.#open(agent);
    return isNew;
  }

  /** Asked to end: nothing that was told is lost. */
  override async close(): Promise<void> {
    for (const id of this.#watched.keys()) await this.#forget(id);
    await super.close();
  }

  override bury(agent: FakeAgent): Promise<void> {
    return this.endLife(agent, 'exit');
  }

  async endLife(agent: FakeAgent, cause: EpochEnd['cause']): Promise<void> {
    const { id, epoch } = agent;
    await this.#forget(id);
    await this.delivery.detach(id);
    const at = this.#world.scheduler.now;
    const isNews = await this.ledger.write((tx) =>
      endLifeIn(tx, { agent: id, epoch }, { at, cause }),
    );
    if (isNews) this.#world.ends.push({ agent: id, at, cause });
    // A restart and the end that the daemon found itself come together; its next life has begun.
    if (agent.epoch === epoch) agent.isEnded = true;
  }

  /** A hook's call, or the word of the CLI's own state. False: nobody watches that life. */
  async hear(agent: FakeAgent, epoch: number, news: TurnNews): Promise<boolean> {
    const watched = this.#watched.get(agent.id);
    if (watched?.epoch !== epoch) return false;
    await watched.watch.news(news);
    return true;
  }

  /** As fleet/running-agent.ts publishes it. */
  show(agent: FakeAgent): void {
    const watched = this.#watched.get(agent.id);
    const { shown: status } = agent.monitor;
    if (!watched || watched.epoch !== agent.epoch || this.life.isOver) return;
    if (watched.shown.status === status || status === 'exited') return;
    watched.shown = this.#describe(agent, this.#world.scheduler.now);
    watched.watch.status(watched.shown);
    this.#note(agent.id, watched.shown);
  }

  protected override prompted(agent: FakeAgent, beganMs: number): void {
    const watched = this.#watched.get(agent.id);
    watched?.watch.prompted(() => watched.shown, beganMs);
  }

  async #open(agent: FakeAgent): Promise<void> {
    const { id, epoch, kind } = agent;
    const row = await this.ledger.read((tx) => tx.agents.find(id));
    if (!row || agent.epoch !== epoch || !agent.isAlive) return;
    const telling = tellingOf(kind);
    const parts = {
      ledger: this.ledger,
      surroundings: this.surroundings,
      delivery: this.delivery,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    } as unknown as FleetParts;
    const life = {
      agent: row,
      epoch: { agent: id, epoch },
      provider: { capabilities: { turnEnds: telling.source } },
    } as unknown as FleetLife;
    const watch = new TurnWatch(parts, life, this.#readRecords(agent));
    const isSame = agent.monitor.shown === row.status;
    const shown = this.#describe(agent, isSame ? row.since : this.#world.scheduler.now);
    this.#watched.set(id, { epoch, watch, shown });
    watch.status(shown);
    if (!isSame) this.#note(id, shown);
    if (telling.source === 'state') this.#world.tellAgain(agent);
  }

  #note(agent: string, { composer: _, ...known }: StatusView): void {
    void this.ledger.write((tx) => tx.agents.setStatus(agent, known));
  }

  #readRecords(agent: FakeAgent) {
    const { scheduler, random, book } = this.#world;
    const { namesLast } = tellingOf(agent.kind);
    const read = async <T>(signal: AbortSignal, look: () => T): Promise<T> => {
      await scheduler.gate(this.life);
      if (this.#world.faults && random.chance(0.05))
        await scheduler.sleep(this.life, random.between(0, 4000), signal);
      return look();
    };
    return {
      lastWords: (signal: AbortSignal) =>
        read(signal, () => (agent.records.isReadable ? book.lastWords(agent) : undefined)),
      lastTurn: (signal: AbortSignal) =>
        read(signal, () => {
          const last = namesLast && agent.records.isReadable && book.findLastBegun(agent.id);
          return last ? { session: String(last.conversation), id: `t${last.turn}` } : undefined;
        }),
    };
  }

  #describe({ kind, monitor }: FakeAgent, since: number): StatusView {
    const source: StatusSource = sources[tellingOf(kind).source];
    const status = monitor.shown;
    const detail = status === 'waiting' ? { detail: 'permission' } : {};
    return { status, ...detail, source, since, composer: 'unknown' };
  }

  async #forget(id: string): Promise<void> {
    const watched = this.#watched.get(id);
    this.#watched.delete(id);
    await watched?.watch.close();
  }
}
