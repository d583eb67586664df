import type { Agent } from '../../src/agents/agent.ts';
import type { Permission } from '../../src/agents/permission.ts';
import { add } from '../../src/fleet/add.ts';
import { commitFirst } from '../../src/fleet/commit-first.ts';
import type {
  Fleet,
  Follow,
  HookReceipt,
  LiveAgent,
  WantedLaunch,
  WantedPoll,
} from '../../src/fleet/fleet.ts';
import type { HeldAnswer } from '../../src/fleet/questions/held-hooks.ts';
import { type AskedNow, nothingAsked } from '../../src/fleet/questions/questions.ts';
import { remove } from '../../src/fleet/remove.ts';
import type { Decided, Decision } from '../../src/providers/questions.ts';
import type { HookOffer } from '../../src/providers/way-in.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Fault } from '../../src/shared/fault.ts';
import { systemHost } from '../../src/shared/processes.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import type { OutputChunk } from '../../src/terminals/backend.ts';

/**
 * Agents without terminals, that live in the ledger and do as they are told: what the server asks
 * of a fleet, and no more.
 */
export class FakeFleet implements Fleet {
  readonly launches: WantedLaunch[] = [];
  readonly hooks: { token: string; event: string; body: unknown }[] = [];
  readonly lives = new Map<string, LiveAgent | Error>();
  readonly followers = new Set<(chunk: OutputChunk) => void>();
  /** Backends in use beside the default one. */
  readonly otherBackends: ReturnType<Fleet['health']>['backends'][number][] = [];
  /** What every hook offers. */
  offer: HookOffer | undefined;
  /** Messages that an agent's records show in a tool's result. */
  readonly inResults = new Set<string>();
  /** What `receiveHook` waits for. */
  hookGate: Promise<void> = Promise.resolve();
  /** Hooks that came, those that wait included. */
  hooksBegun = 0;
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async start(): Promise<void> {}

  async launch(wanted: WantedLaunch): Promise<Agent> {
    this.launches.push(wanted);
    const { session, notify, cwd, name = `${wanted.provider}-1`, parent } = wanted;
    const more = parent === undefined ? {} : { parent };
    const agent = await add(this.#ledger, systemClock, { name, session, notify, cwd, ...more });
    const here = { ledger: this.#ledger, surroundings: { clock: systemClock, host: systemHost } };
    if (wanted.message) await commitFirst(here, agent, wanted.message);
    return agent;
  }

  awaitLaunch(id: string): Promise<Agent> {
    return this.restart(id);
  }

  async stop() {
    return { outcome: 'stopped', exitCode: 0, killed: 0 } as const;
  }

  async interrupt() {
    const view = { status: 'idle', source: 'state', since: 0, composer: 'empty' } as const;
    return { by: 'api', presses: 0, isProven: true, hasAsked: false, view } as const;
  }

  async restart(id: string): Promise<Agent> {
    const agent = await this.#ledger.read((tx) => tx.agents.find(id));
    if (!agent) throw new Error('it was resolved before');
    return agent;
  }

  async remove(id: string) {
    const removed = await remove(this.#ledger, { clock: systemClock, host: systemHost }, id);
    const { settled, maybeRead } = removed;
    return { settled, maybeRead, read: 0, troubles: [] };
  }

  async findInResults(_: string, ends: readonly string[]) {
    return ends.filter((end) => this.inResults.has(/end of (\w+)\.$/.exec(end)?.[1] ?? ''));
  }

  async endWorker(): Promise<boolean> {
    return false;
  }

  async bringBack(): Promise<void> {}

  async settleLeft(): Promise<void> {}

  async endingOf(): Promise<undefined> {
    return undefined;
  }

  live(id: string): LiveAgent | undefined {
    const live = this.lives.get(id);
    if (live instanceof Error) throw live;
    return live;
  }

  /** What every agent asks. */
  asked: AskedNow = nothingAsked;
  /** What comes of every decision. */
  decided: Decided = { outcome: 'taken' };
  readonly decisions: { agent: string; question: string; decision: Decision }[] = [];
  permission: Permission | undefined = 'ask';
  /** What a hook that holds a question is told. */
  held: HeldAnswer | 'unseen' = 'nothing';
  confirms = true;
  readonly polls: { token: string; poll: WantedPoll }[] = [];

  questions(): AskedNow {
    return this.asked;
  }

  async permissionOf(): Promise<Permission | undefined> {
    return this.permission;
  }

  async decide(agent: string, question: string, decision: Decision): Promise<Decided> {
    this.decisions.push({ agent, question, decision });
    return this.decided;
  }

  async holdQuestion(token: string, poll: WantedPoll): Promise<HeldAnswer | 'unseen'> {
    this.polls.push({ token, poll });
    return this.held;
  }

  confirmDecision(id: string): boolean {
    return this.confirms && typeof this.held === 'object' && this.held.id === id;
  }

  async output() {
    return { text: 'on the screen', response: 'complete', searched: ['screen'] } as const;
  }

  async follow(): Promise<Follow> {
    return (listener) => {
      this.followers.add(listener);
      return () => this.followers.delete(listener);
    };
  }

  async attachCommand(_id: string, env: NodeJS.ProcessEnv) {
    if (env['GONE'] !== undefined) throw new Fault('terminal-gone', 'It is gone.', 'Restart it.');
    const ids = { target: '$1:@2.%3' };
    return { argv: ['tmux', 'attach'], kind: 'tmux', ids } as const;
  }

  async receiveHook(token: string, event: string, body: unknown): Promise<HookReceipt> {
    this.hooksBegun++;
    await this.hookGate;
    this.hooks.push({ token, event, body });
    if (token === 'unseen') return { outcome: 'ignored' };
    if (token !== 'right') return { outcome: 'ignored', isOver: true };
    const { offer } = this;
    return { outcome: 'taken', agent: 'agt_1', ...(offer ? { offer } : {}) };
  }

  health() {
    const backend = { name: 'tmux', state: 'ready', version: '3.3a' } as const;
    const backends = [{ ...backend, isDefault: true }, ...this.otherBackends];
    return { backend, backends, agents: { running: this.lives.size, troubled: [] } };
  }

  async close(): Promise<void> {}
}
