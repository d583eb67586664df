import type { Delivery } from '../../src/delivery/open-delivery.ts';
import type { TurnOutcome } from '../../src/messages/message.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import type { FakeHosts } from '../fakes/host.ts';
import type { Random } from '../torture/random.ts';
import type { Account } from './account.ts';
import type { FakeAgent } from './agent.ts';
import type { Faults } from './faults.ts';
import type { Life, Scheduler } from './scheduler.ts';
import type { Entry, Truth } from './truth.ts';

/**
 * Whoever follows what agents do, where turns and their words matter. Without one, delivery alone
 * hears that turns end.
 */
export interface Audience {
  began(agent: FakeAgent): void;
  /**
   * The model has said something; it has read this for the first time. Resolves when its tools have
   * done their work.
   */
  spoke(agent: FakeAgent, read: readonly Entry[]): Promise<void>;
  /**
   * One stop of a turn. Resolves when the CLI goes on; false: its hook had no answer in time, and
   * says nothing.
   */
  stopped(agent: FakeAgent, life: Life, outcome: TurnOutcome): Promise<boolean>;
  /** No hook made it go on. */
  rested(agent: FakeAgent): void;
  /** The status monitor shows something else. */
  shown(agent: string): void;
}

/** What the parts of one world share. */
export interface Stage {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly truth: Truth;
  readonly hosts: FakeHosts;
  /** Undefined faults are over: the world has come to rest, and everything must arrive. */
  readonly faults: Faults | undefined;
  /** What there was of them. */
  readonly chosen: Faults;
  readonly account: Account;
  readonly audience?: Audience;
  /**
   * How many were started, one after the other: each forgets how long it wanted to leave a failing
   * API alone.
   */
  readonly daemons: number;
  /** What outlives everybody. */
  readonly always: Life;
  /** For messages at a turn boundary. */
  readonly blockLimit: number;
  clock(life: Life): Clock;
  /** Of the message that has this number in the inbox of that agent. */
  idOf(agent: string, number: number): string;
  /** As one process sees it: gone with its life, and every use of it a place to die. */
  ledger(life: Life): Ledger;
  /**
   * Asks the daemon as a client does, over a connection that ends with either side; undefined when
   * there is no answer.
   */
  call<T>(life: Life, ask: (delivery: Delivery) => Promise<T>, ms: number): Promise<T | undefined>;
  /** The provider knows which conversation the terminal shows now. */
  learned(agent: string): void;
  /** Tells the daemon something, if there is one. */
  tell(what: (delivery: Delivery) => void): void;
}
