import { isAtRest } from '../../src/agents/remember-turn.ts';
import type { Surroundings } from '../../src/delivery/claim.ts';
import { type Delivery, openDelivery } from '../../src/delivery/open-delivery.ts';
import type { DeliveryLimits } from '../../src/delivery/parts.ts';
import type { Recipient } from '../../src/delivery/recipient.ts';
import { endEpoch } from '../../src/fleet/epochs.ts';
import { keepConversation } from '../../src/fleet/keep-conversation.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import type { FakeAgent } from './agent.ts';
import { describeComposer } from './composer.ts';
import { tellTurn } from './hooks.ts';
import { openFakePen } from './pen.ts';
import { openFakeEvidence } from './records.ts';
import { Life } from './scheduler.ts';
import type { Stage } from './stage.ts';
import { openFakeNative } from './way-in.ts';

/** One incarnation of the daemon: the real engine, and as much of the fleet as it takes. */
export class FakeDaemon {
  readonly life = new Life();
  readonly delivery: Delivery;
  readonly warnings: string[] = [];
  readonly #stage: Stage;
  protected readonly ledger: Ledger;
  protected readonly surroundings: Surroundings;
  readonly #pid: number;
  readonly #attached = new Map<string, number>();

  constructor(stage: Stage, limits: DeliveryLimits, agents: readonly FakeAgent[]) {
    this.#stage = stage;
    this.ledger = stage.ledger(this.life);
    const host = stage.hosts.start();
    this.#pid = host.pid;
    this.surroundings = { clock: stage.clock(this.life), host };
    const log = {
      info: () => undefined,
      warn: (facts: object, text: string) => this.#warn(facts, text),
    };
    this.delivery = openDelivery({
      ledger: this.ledger,
      surroundings: this.surroundings,
      limits,
      log,
      isAlive: (pid) => agents.some((agent) => agent.pid === pid && agent.isAlive),
    });
    for (const agent of agents) this.#reconcile(agent);
  }

  /** Anything may have been half done. */
  die(): void {
    this.life.end();
    this.#stage.hosts.kill(this.#pid);
  }

  /** In order. */
  close(): Promise<void> {
    return this.delivery.close();
  }

  /** False when it has been watched before. */
  watch(agent: FakeAgent): boolean {
    const isKnown = this.#attached.get(agent.id) === agent.epoch;
    if (agent.isRemoved || this.life.isOver || isKnown) return false;
    this.#attached.set(agent.id, agent.epoch);
    void this.learn(agent);
    this.delivery.attach(this.#describe(agent));
    if (agent.missed && agent.isAtRest) void tellTurn(agent, agent.process, agent.missed);
    return true;
  }

  /** On disk, for the next life (rule 37). */
  async learn({ id, epoch, kind, talk, isAlive }: FakeAgent): Promise<void> {
    if (!kind.hasProof || !isAlive || this.life.isOver) return;
    const conversation = String(talk.current);
    const known = (await this.ledger.read((tx) => tx.epochs.find(id, epoch)))?.conversation;
    const clock = this.#stage.clock(this.life);
    const isAnother = known !== undefined && known !== conversation;
    const learned = { conversation, leftAt: isAnother ? clock.now() : undefined };
    await keepConversation(this.ledger, clock, { agent: id, epoch }, learned);
  }

  /** A process has ended. */
  async bury(agent: FakeAgent): Promise<void> {
    const { id, epoch } = agent;
    await this.delivery.detach(id);
    await this.ledger.write(async (tx) => {
      const at = this.#stage.scheduler.now;
      if (await tx.epochs.end(id, epoch, { at, cause: 'exit' })) await endEpoch(tx, at, id);
    });
    agent.isEnded = true;
  }

  /** It sees each agent a moment after its start. */
  #reconcile(agent: FakeAgent): void {
    const { scheduler, random } = this.#stage;
    scheduler.after(this.life, random.between(0, 800), () => {
      if (agent.isRemoved || agent.isEnded) return;
      if (!agent.isAlive) void this.bury(agent);
      else this.watch(agent);
    });
  }

  /** A paste was sent. */
  protected prompted(_agent: FakeAgent, _beganMs: number): void {}

  #describe(agent: FakeAgent): Recipient {
    const { scheduler } = this.#stage;
    const { ways } = agent.kind;
    const { epoch } = agent;
    const since = scheduler.monotonicMs;
    const isNative = ways.routes.includes('native') && !ways.hasWaitingHook;
    return {
      agent: agent.id,
      epoch,
      ways,
      native: isNative ? openFakeNative(agent, this.life) : undefined,
      evidence: agent.kind.hasProof ? openFakeEvidence(agent, this.life) : undefined,
      pen: openFakePen(agent, this.life),
      putUp: async () => {
        await scheduler.gate(this.life);
        return agent.epoch === epoch && agent.isAlive ? agent.channel.putUp(agent) : undefined;
      },
      prompted: (beganMs) => this.prompted(agent, beganMs),
      view: () => {
        const status = agent.epoch === epoch ? agent.monitor.shown : 'exited';
        const { restSince } = agent.monitor;
        const { text, since: seenSince, humanKeyAt } = agent.composer.seen;
        const composer = describeComposer(text, isAtRest(status));
        return {
          status,
          composer,
          ...(restSince === undefined ? {} : { atRestSince: Math.max(since, restSince) }),
          ...(humanKeyAt === undefined ? {} : { humanKeyAt }),
          ...(composer === 'empty' ? { emptySince: Math.max(since, seenSince) } : {}),
        };
      },
    };
  }

  #warn(facts: object, text: string): void {
    if (this.warnings.length < 5) this.warnings.push(`${text} ${JSON.stringify(facts)}`);
  }
}
