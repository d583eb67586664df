import { type Agent, createPuller, userAgentId } from '../../src/agents/agent.ts';
import type { Delivery } from '../../src/delivery/open-delivery.ts';
import type { DeliveryLimits } from '../../src/delivery/parts.ts';
import { beginEpoch } from '../../src/fleet/epochs.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { FakeHosts } from '../fakes/host.ts';
import type { Random } from '../torture/random.ts';
import { Account } from './account.ts';
import { FakeAgent } from './agent.ts';
import { FakeDaemon } from './daemon.ts';
import { chooseFaults, type Faults } from './faults.ts';
import { type Kind, kinds } from './kinds.ts';
import { watchLiveness } from './liveness.ts';
import { Life, Scheduler } from './scheduler.ts';
import type { Stage } from './stage.ts';
import { meetSecond, planDisturbances, planSends } from './storm.ts';
import { Truth } from './truth.ts';

export interface Settings {
  readonly messages: number;
  readonly stormMs: number;
}

export type Family = Pick<Agent, 'notify' | 'parent'>;

const alone: Family = { notify: false };

/** A fleet in a storm. All of it follows from the seed. */
export class World implements Stage {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly truth = new Truth();
  readonly account = new Account();
  readonly hosts = new FakeHosts();
  readonly inner = new MemoryLedger();
  readonly agents: FakeAgent[] = [];
  readonly senders: readonly string[];
  readonly chosen: Faults;
  readonly limits: DeliveryLimits;
  /** Its budgets are spent soon. */
  readonly isTight: boolean;
  /** What outlives everybody. */
  readonly always = new Life();
  /** Of the daemon. */
  writes = 0;
  sent = 0;
  crashes = 0;
  daemons = 0;
  faults: Faults | undefined;
  daemon: FakeDaemon | undefined;
  readonly #crashShare: number;
  readonly #ids = new Map<string, string>();

  constructor(seed: number, choose = chooseFaults, tightShare = 0.15) {
    this.scheduler = new Scheduler(seed);
    const { random } = this.scheduler;
    this.random = random;
    this.chosen = choose(random);
    this.faults = this.chosen;
    // Small budgets; at times with nobody whom they do not bind.
    this.isTight = random.chance(tightShare);
    const wakes = this.isTight ? random.whole(1, 4) : 60;
    const scripts = this.isTight ? random.whole(3, 6) : 240;
    this.limits = { blocks: random.whole(1, 3), wakes, scripts, noticeAfterMs: 2000 };
    const isAmongAgents = this.isTight && random.chance(0.4);
    this.senders = isAmongAgents ? ['agt_s1', 'agt_s2'] : ['agt_s1', 'agt_s2', userAgentId];
    this.#crashShare = this.chosen.daemonDies ? 1 / random.whole(60, 1500) : 0;
    this.scheduler.between = () => this.#mayCrash();
    void this.#noteNumbers();
  }

  get blockLimit(): number {
    return this.limits.blocks;
  }

  async storm({ messages, stormMs }: Settings): Promise<void> {
    const { random, scheduler } = this;
    await this.register('agt_s1');
    await this.register('agt_s2');
    const count = random.whole(1, 3);
    // A team of one CLI in one folder, at times.
    const choice = random.chance(0.3) ? [random.pick(kinds)] : kinds;
    for (let i = 0; i < count; i++) await this.addAgent(`agt_${i}`, random.pick(choice));
    this.startDaemon();
    planSends(this, messages, stormMs);
    planDisturbances(this);
    watchLiveness(this);
    const end = scheduler.monotonicMs + stormMs;
    await scheduler.run(() => scheduler.monotonicMs >= end);
    this.faults = undefined;
  }

  idOf(agent: string, number: number): string {
    return this.#ids.get(`${agent} ${number}`) ?? `no message ${number} of ${agent}`;
  }

  /** A text has numbers; whoever reads it in a simulation cannot wait for a ledger. */
  #noteNumbers(): Promise<void> {
    return this.inner.read(async ({ messages }) => {
      const insert = messages.insert.bind(messages);
      messages.insert = async (rows) => {
        const inserted = await insert(rows);
        for (const { id, to, number } of inserted) this.#ids.set(`${to} ${number}`, id);
        return inserted;
      };
    });
  }

  clock(life: Life): Clock {
    const { scheduler } = this;
    return {
      now: () => scheduler.now,
      monotonicMs: () => scheduler.monotonicMs,
      sleep: (ms, signal) => scheduler.sleep(life, ms, signal),
    };
  }

  /**
   * A transaction is all or nothing: to die before it and to die in it are the same, so there are
   * two gates, not more.
   */
  ledger(life: Life): Ledger {
    const { inner, scheduler } = this;
    return {
      id: inner.id,
      read: async (work) => {
        await scheduler.maybe(life, 0.25);
        const result = await inner.read(work);
        await scheduler.maybe(life, 0.25);
        return result;
      },
      write: async (work) => {
        await scheduler.gate(life);
        const result = await inner.write(work);
        if (life === this.daemon?.life) this.writes++;
        await scheduler.gate(life);
        return result;
      },
      space: inner.space,
      inspect: () => inner.inspect(),
      close: async () => undefined,
    };
  }

  call<T>(life: Life, ask: (delivery: Delivery) => Promise<T>, ms: number): Promise<T | undefined> {
    return this.callDaemon(life, ({ delivery }) => ask(delivery), ms);
  }

  callDaemon<T>(
    life: Life,
    ask: (daemon: FakeDaemon) => Promise<T>,
    ms: number,
  ): Promise<T | undefined> {
    return new Promise((resolve) => {
      const { scheduler } = this;
      const cancel = scheduler.after(life, ms, () => resolve(undefined));
      const answer = (result: T | undefined): void => {
        void scheduler.maybe(life, 0.5).then(() => {
          cancel();
          resolve(result);
        });
      };
      void scheduler.gate(life).then(() => {
        const { daemon } = this;
        if (!daemon || daemon.life.isOver) return answer(undefined);
        daemon.life.onEnd(() => answer(undefined));
        ask(daemon).then(answer, () => answer(undefined));
      });
    });
  }

  tell(what: (delivery: Delivery) => void): void {
    if (this.daemon && !this.daemon.life.isOver) what(this.daemon.delivery);
  }

  learned(agent: string): void {
    const known = this.agents.find(({ id }) => id === agent);
    if (known) void this.daemon?.learn(known);
  }

  startDaemon(): void {
    if (this.daemon && !this.daemon.life.isOver) return;
    this.daemons++;
    this.daemon = this.createDaemon();
  }

  protected createDaemon(): FakeDaemon {
    return new FakeDaemon(this, this.limits, this.agents);
  }

  protected noteDeath(_isInOrder: boolean): void {}

  /** Between a death of the daemon and its next life. */
  protected chooseAwayMs(): number {
    return this.random.between(0, 3000);
  }

  /** After the storm: whether somebody goes on at its terminal, who may have interrupted it. */
  async needsPerson(_agent: FakeAgent): Promise<boolean> {
    return true;
  }

  /** The next life of an agent whose last one is written off. */
  async revive(agent: FakeAgent): Promise<void> {
    if (agent.isRemoved || agent.isAlive || !agent.isEnded) return;
    agent.isEnded = false;
    const { id, kind, talk } = agent;
    const isResumed = talk.entries.length === 0 || (kind.resumes && this.random.chance(0.6));
    const conversation = isResumed ? talk.current : talk.next;
    const epoch = await this.inner.write(async (tx) => {
      const next = await beginEpoch(tx, id);
      const rest = { backend: 'fake', provider: kind.name, argv: [], extraArgs: [] };
      const startedAt = this.scheduler.now;
      const named = kind.hasProof ? { conversation: String(conversation) } : {};
      const row = { ...rest, ...named, agent: id, epoch: next, tokenHash: '', startedAt };
      await tx.epochs.insert(row);
      return next;
    });
    agent.start(epoch, conversation);
    this.daemon?.watch(agent);
    const mates = this.agents.filter((one) => one !== agent && one.kind === kind && one.isAlive);
    if (this.faults?.brokenEvidence && kind.hasProof)
      for (const mate of mates) meetSecond(this, mate);
  }

  protected async addAgent(id: string, kind: Kind, family: Family = alone): Promise<FakeAgent> {
    const agent = new FakeAgent(this, id, kind);
    this.account.note(kind.name, 'agents');
    await this.register(id, family);
    this.agents.push(agent);
    await this.revive(agent);
    return agent;
  }

  protected async register(id: string, family: Family = alone): Promise<void> {
    const row = { ...createPuller(id, this.scheduler.now), name: id, session: 'default' };
    await this.inner.write((tx) => tx.agents.insert({ ...row, ...family, cwd: '/srv/app' }));
  }

  #mayCrash(): void {
    const { daemon, random, scheduler } = this;
    if (!this.faults || this.#crashShare === 0 || !random.chance(this.#crashShare)) return;
    if (!daemon || daemon.life.isOver) return;
    this.crashes++;
    const isInOrder = random.chance(0.15);
    this.noteDeath(isInOrder);
    const restart = (): void => this.startDaemon();
    if (isInOrder) {
      // Asked to end, it ends in order, or is ended.
      void daemon.close().then(() => daemon.die());
      scheduler.after(this.always, 30_000, () => daemon.die());
    } else daemon.die();
    daemon.life.onEnd(() => {
      scheduler.after(this.always, this.chooseAwayMs(), restart);
    });
  }
}
