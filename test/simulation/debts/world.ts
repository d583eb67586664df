import type { TurnOutcome } from '../../../src/messages/message.ts';
import type { Ledger } from '../../../src/store/ledger.ts';
import { observeLedger } from '../../../src/store/observe.ts';
import type { Random } from '../../torture/random.ts';
import type { FakeAgent } from '../agent.ts';
import { hasMail } from '../calm.ts';
import type { FakeDaemon } from '../daemon.ts';
import type { Faults } from '../faults.ts';
import { kinds } from '../kinds.ts';
import type { Life } from '../scheduler.ts';
import type { Audience } from '../stage.ts';
import type { Entry } from '../truth.ts';
import { World } from '../world.ts';
import { TeamDaemon } from './daemon.ts';
import { doDuties } from './duties.ts';
import { watchDebts } from './liveness.ts';
import { planTasks, planTroubles } from './storm.ts';
import { Tally } from './tally.ts';
import { tellAllAgain, tellStop } from './tell.ts';
import { tellingOf } from './tellings.ts';
import { TurnBook } from './turn-book.ts';

export interface Question {
  readonly id: string;
  readonly askedAt: number;
  readonly task: string;
  readonly from: string;
  readonly to: string;
  heardAt?: number;
}

const stormMs = 150_000;
const tasks = 14;

/**
 * Supervisors and workers in a storm. Two supervisors, up to four workers; each may give work to
 * those behind it.
 */
export class TeamWorld extends World implements Audience {
  readonly audience: Audience = this;
  readonly book = new TurnBook();
  readonly tally = new Tally();
  readonly questions = new Map<string, Question>();
  /** Tasks that their worker has taken up. */
  readonly taken = new Set<string>();
  readonly lastSaid = new Map<string, number>();
  /** Lives that were written off. */
  readonly ends: { readonly agent: string; readonly at: number; readonly cause: string }[] = [];

  constructor(seed: number) {
    super(seed, chooseTeamFaults, 0);
    // Budgets have storms of their own.
    Object.assign(this.limits, { wakes: 100_000, scripts: 100_000 });
  }

  get team(): TeamDaemon | undefined {
    return this.daemon instanceof TeamDaemon && !this.daemon.life.isOver ? this.daemon : undefined;
  }

  /**
   * The daemon looks at what it has committed itself (daemon/compose.ts); what others write is
   * found by looking, or told.
   */
  override ledger(life: Life): Ledger {
    return observeLedger(super.ledger(life), (changes) => {
      if (this.daemon?.life !== life) return;
      for (const { state, to } of changes)
        if (state === 'queued') this.tell((delivery) => delivery.look(to));
    });
  }

  kindOf(agent: string): string {
    const kind = this.agents.find(({ id }) => id === agent)?.kind;
    if (!kind) throw new Error(`${agent} is no agent of this storm`);
    return kind.name;
  }

  async stormOfDebts(): Promise<void> {
    const { random, scheduler } = this;
    // Records in a strange form have storms of their own.
    const known = kinds.filter(({ isStrange }) => !isStrange);
    const choice = random.chance(0.4) ? [random.pick(known)] : known;
    const count = random.whole(2, 4);
    for (const name of ['agt_lead1', 'agt_lead2']) await this.addAgent(name, random.pick(known));
    for (let i = 0; i < count; i++) {
      const parent = random.pick(this.agents).id;
      const family = random.chance(0.85) ? { notify: true, parent } : { notify: false };
      await this.addAgent(`agt_w${i}`, random.pick(choice), family);
    }
    for (const { kind } of this.agents) this.tally.note(kind.name, 'workers and supervisors');
    this.startDaemon();
    planTasks(this, tasks, stormMs);
    planTroubles(this);
    watchDebts(this);
    const end = scheduler.monotonicMs + stormMs;
    await scheduler.run(() => scheduler.monotonicMs >= end);
    this.faults = undefined;
  }

  began(agent: FakeAgent): void {
    this.book.begin(agent);
  }

  spoke(agent: FakeAgent, read: readonly Entry[]): Promise<void> {
    // New records are a hint to look at them.
    for (const { outputAt = 0 } of read)
      this.scheduler.after(agent.process, outputAt - this.scheduler.monotonicMs + 1, () =>
        this.tell((delivery) => delivery.look(agent.id)),
      );
    return doDuties(this, agent, read);
  }

  async stopped(agent: FakeAgent, life: Life, outcome: TurnOutcome): Promise<boolean> {
    const hasHook = agent.kind.ways.routes.includes('turn-boundary');
    const isPast = outcome === 'completed' && hasHook && tellingOf(agent.kind).endsOnce;
    const mayAsk = isPast === true || (await this.#stop(agent, outcome));
    // Whatever ended meanwhile goes no further.
    return life.isOver ? new Promise(() => undefined) : mayAsk;
  }

  rested(agent: FakeAgent): void {
    const hasHook = agent.kind.ways.routes.includes('turn-boundary');
    if (hasHook && tellingOf(agent.kind).endsOnce) void this.#stop(agent, 'completed');
  }

  shown(id: string): void {
    const agent = this.agents.find((one) => one.id === id);
    if (agent) this.team?.show(agent);
  }

  tellAgain(agent: FakeAgent): void {
    tellAllAgain(this, agent);
  }

  callTeam<T>(
    life: Life,
    ask: (daemon: TeamDaemon) => Promise<T>,
    ms: number,
  ): Promise<T | undefined> {
    return this.callDaemon(life, (daemon) => ask(daemon as TeamDaemon), ms);
  }

  override async revive(agent: FakeAgent): Promise<void> {
    if (agent.isRemoved || agent.isAlive || !agent.isEnded) return;
    const since = this.scheduler.now;
    const starting = { status: 'starting', source: 'process', since } as const;
    await this.inner.write((tx) => tx.agents.setStatus(agent.id, starting));
    await super.revive(agent);
  }

  /** Each turn tells a parent something: whoever prompted everybody would never come to an end. */
  override needsPerson(agent: FakeAgent): Promise<boolean> {
    return hasMail(this, agent);
  }

  protected override noteDeath(isInOrder: boolean): void {
    this.tally.die(isInOrder ? 'ended in order' : 'killed');
  }

  protected override createDaemon(): FakeDaemon {
    return new TeamDaemon(this);
  }

  /** A minute at times: everything that ends meanwhile is told late. */
  protected override chooseAwayMs(): number {
    const { random } = this;
    return random.chance(0.2) ? random.between(3000, 60_000) : random.between(0, 3000);
  }

  async #stop(agent: FakeAgent, outcome: TurnOutcome): Promise<boolean> {
    this.tally.note(agent.kind.name, 'stops of turns');
    const stop = this.book.stop(agent, outcome);
    return stop === undefined || tellStop(this, agent, stop);
  }
}

function chooseTeamFaults(random: Random): Faults {
  const some = (share: number): boolean => random.chance(share);
  return {
    daemonDies: some(0.8),
    agentsDie: some(0.4),
    // Routes that lie have storms of their own.
    routesLie: false,
    routesRefuse: some(0.2),
    hooksFail: some(0.4),
    channelsDie: some(0.2),
    lateEvidence: some(0.1),
    brokenEvidence: some(0.1),
    modelFails: some(0.4),
    peopleInterrupt: some(0.4),
    peopleType: some(0.3),
    peopleClear: some(0.25),
    dialogs: some(0.3),
    pullersDie: some(0.2),
    wallJumps: false,
    removal: some(0.3),
  };
}
