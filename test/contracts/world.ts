import { describe, onTestFinished, test } from 'vitest';
import { type Agent, userAgentId } from '../../src/agents/agent.ts';
import { type Accepted, accept } from '../../src/delivery/accept.ts';
import { acknowledge } from '../../src/delivery/acknowledge.ts';
import { type ClaimResult, claim, type Surroundings } from '../../src/delivery/claim.ts';
import { pull } from '../../src/delivery/routes/pull.ts';
import { settleDue } from '../../src/delivery/settle-due.ts';
import { add } from '../../src/fleet/add.ts';
import type { Claim, Route } from '../../src/messages/claim.ts';
import type { Message, MessageDraft, MessageState } from '../../src/messages/message.ts';
import type { Host } from '../../src/shared/processes.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeHosts } from '../fakes/host.ts';
import { type Engine, engines } from './engines.ts';

/** One ledger, one clock, some processes: what a test of the contract plays with. */
export class World {
  readonly clock: FakeClock;
  readonly hosts = new FakeHosts();
  readonly ledger: Ledger;
  readonly here: Surroundings;

  constructor(ledger: Ledger, clock: FakeClock) {
    this.ledger = ledger;
    this.clock = clock;
    this.here = this.process();
  }

  process(host: Host = this.hosts.start()): Surroundings {
    return { clock: this.clock, host };
  }

  add(name: string, options: { parent?: Agent; notify?: boolean } = {}): Promise<Agent> {
    const { parent, notify = true } = options;
    const wanted = { name, session: 'default', notify, cwd: '' };
    const full = parent ? { ...wanted, parent: parent.id } : wanted;
    return add(this.ledger, this.clock, full);
  }

  async accept(draft: Partial<MessageDraft> & { to: string }): Promise<Accepted> {
    const full = { kind: 'message', from: userAgentId, body: 'hello', ...draft } as const;
    const [accepted] = await accept(this.ledger, this.clock, [full]);
    if (!accepted) throw new Error('no outcome');
    return accepted;
  }

  /** Sends, and insists on being accepted. */
  async send(to: Agent, draft: Partial<MessageDraft> = {}): Promise<Message> {
    const accepted = await this.accept({ ...draft, to: to.id });
    if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
    return accepted.message;
  }

  claim(
    to: Agent,
    route: Route,
    options: { as?: Surroundings; count?: number; provable?: boolean; epoch?: number } = {},
  ): Promise<ClaimResult> {
    const { as = this.here, count = 100, provable = true, epoch = to.epoch } = options;
    const request = { recipient: to.id, route, epoch, provable, count, bytes: 1_000_000 };
    return this.ledger.write((tx) => claim(tx, as, request));
  }

  /** Claims, and insists on getting something. */
  async take(
    to: Agent,
    route: Route,
    options: Parameters<World['claim']>[2] = {},
  ): Promise<{ claim: Claim; messages: readonly Message[] }> {
    const result = await this.claim(to, route, options);
    if (result.outcome !== 'claimed') throw new Error(result.outcome);
    return result;
  }

  drain(to: Agent, options: { as?: Surroundings; count?: number; bytes?: number } = {}) {
    const { as = this.here, count = 1000, bytes = 16 * 1024 * 1024 } = options;
    const request = { recipient: to.id, epoch: to.epoch, count, bytes, by: to.name };
    return pull(this.ledger, as, request);
  }

  settle(to: Agent, as: Surroundings = this.here): Promise<number> {
    return this.ledger.write((tx) => settleDue(tx, as, to.id));
  }

  ack(...ids: string[]) {
    return this.ledger.write((tx) =>
      acknowledge(tx, this.clock.now(), ids, { code: 'acked', cause: 'acked by the test' }),
    );
  }

  async message(id: string): Promise<Message> {
    const message = await this.ledger.read((tx) => tx.messages.find(id));
    if (!message) throw new Error(`no message ${id}`);
    return message;
  }

  async state(id: string): Promise<MessageState> {
    return (await this.message(id)).state;
  }

  /** The states a message went through, in order. */
  async path(id: string): Promise<readonly MessageState[]> {
    return (await this.ledger.read((tx) => tx.messages.history(id))).map((row) => row.to);
  }

  async inbox(to: Pick<Agent, 'id'>): Promise<readonly Message[]> {
    const states = ['queued', 'claimed', 'injected', 'uncertain'] as const;
    return this.ledger.read((tx) => tx.messages.list({ to: to.id, states, limit: 10_000 }));
  }
}

/** Runs each test once per engine, in a world of its own. */
export function contract(
  title: string,
  define: (check: (name: string, body: (world: World) => Promise<void>) => void) => void,
): void {
  describe.each(engines.map((engine) => [engine.name, engine] as const))(
    `${title} (%s)`,
    (_, engine) => {
      define((name, body) => test(name, async () => body(await openWorld(engine))));
    },
  );
}

async function openWorld(engine: Engine): Promise<World> {
  const clock = new FakeClock();
  const { ledger, dispose } = await engine.open(clock);
  onTestFinished(dispose);
  return new World(ledger, clock);
}

export const user = { id: userAgentId };
