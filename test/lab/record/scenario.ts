import type { AgentStatus } from '../../../src/agents/agent.ts';
import type { Composer } from '../../../src/agents/status.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import type { Screen } from '../screen.ts';
import type { CliName } from '../versions.ts';
import type { LabSession } from './session.ts';

/** What `scenarios/<cli>.ts` exports as `scenarios`. */
export interface CliScenarios {
  /** The composer is drawn and nothing stands in its way: what `session.ready()` waits for. */
  readonly isReady: (screen: Screen) => boolean;
  /** What else a fresh start shows, where the composer is drawn before the CLI reads from it. */
  readonly hasStarted?: (screen: Screen) => boolean;
  readonly list: readonly Scenario[];
}

export async function loadScenarios(cli: CliName): Promise<CliScenarios> {
  const module = (await import(`./scenarios/${cli}.ts`)) as { readonly scenarios: CliScenarios };
  return module.scenarios;
}

/** One way into one state. */
export interface Scenario {
  /** Kebab-case; part of the file's name. */
  readonly name: string;
  readonly expect: Expectation;
  /** How its home differs from one in which nothing is asked but permissions. */
  readonly home?: Partial<Omit<HomeWish, 'mockUrl' | 'theme'>>;
  /** Files in the home or the working folder, before the start: paths below the home's folder. */
  readonly files?: (session: LabSession) => Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Brings the CLI there and waits until it is there: for a request, a text, a file; never for a
   * time.
   */
  readonly drive: (session: LabSession) => Promise<void>;
  /** What every stored screen must show: some states end by themselves. */
  readonly marker?: RegExp;
  /**
   * The screen moves by itself: it is taken as it is, this many different ones. Unset: once it
   * stands still.
   */
  readonly frames?: number;
  /**
   * Replaces what the status alone demands (truth.ts). Throws when the state is not what it should
   * be.
   */
  readonly verify?: (session: LabSession) => void | Promise<void>;
}

/** The file's name says this, and the detector must. */
export interface Expectation {
  readonly status: AgentStatus;
  readonly detail?: string;
  readonly composer: Composer;
}
