import type { LabCase } from '../cases/case.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import type { LabTerminal, Variables } from './box.ts';
import { CannotBe, type Check, must, type Outcome } from './check.ts';
import { endChecks } from './checks/ends.ts';
import { startChecks, trustCheck } from './checks/start.ts';
import { turnChecks } from './checks/turns.ts';
import { keepEvidence } from './evidence.ts';
import { Life } from './life.ts';
import { findLies } from './truth.ts';

export type Extent = 'short' | 'usual' | 'all';

export interface Taken {
  readonly cli: string;
  readonly version: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly totalMs: number;
}

export interface Taking {
  readonly lab: LabCase;
  readonly program: string;
  readonly extent: Extent;
  readonly terminal?: LabTerminal;
  /** Of every command of ours, and of the daemon. */
  readonly variables?: Variables;
  readonly say: (line: string) => void;
  /** Called with each life that begins: whoever gives up must close it. */
  readonly hold: (life: Life) => void;
}

/** In the order in which they are made: each leaves the agent at rest for the next. */
const checks = [...startChecks, ...turnChecks, ...endChecks];

const truthCheck: Check = {
  name: 'truth',
  promise: 'in all that was said of it, it was never at rest while the model answered',
  isShort: true,
  run: async (life) => {
    const { requests } = life.mock;
    const hasBoth = life.events.length > 0 && requests.some(({ isSide }) => !isSide);
    must(hasBoth, 'there was no turn to compare with what was said of it');
    const lies = findLies(life.events, requests);
    must(lies.length === 0, lies.join('; '));
    return undefined;
  },
};

export function checksOf(extent: Extent): readonly Check[] {
  return [...checks, truthCheck, trustCheck].filter(({ isShort, isLong }) => {
    if (extent === 'all') return true;
    return extent === 'short' ? isShort : !isLong;
  });
}

/** Takes one CLI through its life, and through a second one that ends at its first question. */
export async function take(taking: Taking): Promise<Taken> {
  const startedAt = performance.now();
  const outcomes = new Map<string, Outcome>();
  const wanted = checksOf(taking.extent);
  const inLife = wanted.filter((check) => check !== trustCheck);
  const version = await live(taking, {}, inLife, outcomes);
  if (wanted.includes(trustCheck)) await live(taking, { trust: 'ask' }, [trustCheck], outcomes);
  return { cli: taking.lab.name, version, outcomes, totalMs: performance.now() - startedAt };
}

/** One life, and the checks made in it, in order. */
export async function live(
  { lab, program, terminal, variables, say, hold }: Omit<Taking, 'extent'>,
  wish: Partial<HomeWish>,
  wanted: readonly Check[],
  outcomes: Map<string, Outcome>,
): Promise<string> {
  const asked = wanted.filter(({ name }) => {
    const reason = lab.spares?.[name];
    if (reason !== undefined) outcomes.set(name, { kind: 'spared', reason });
    return reason === undefined;
  });
  if (asked.length === 0) return '';
  const life = await Life.open(lab, program, wish, terminal, variables);
  hold(life);
  try {
    for (const check of asked) {
      const startedAt = performance.now();
      const outcome = await attempt(life, check);
      outcomes.set(check.name, outcome);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      say(`${lab.name.padEnd(12)} ${check.name.padEnd(11)} ${describe(outcome)}  ${seconds} s`);
      // One that cannot has been broken off half-way, too.
      const next = asked[asked.indexOf(check) + 1];
      if (outcome.kind !== 'passed' && next && !next.hasOwnAgent) await recover(life);
    }
    return life.home.cli.version;
  } finally {
    await life.close();
  }
}

async function attempt(life: Life, check: Check): Promise<Outcome> {
  try {
    return { kind: 'passed', measured: (await check.run(life)) ?? {} };
  } catch (error) {
    if (error instanceof CannotBe) {
      const { message: reason, code } = error;
      return { kind: 'spared', reason, ...(code === undefined ? {} : { code }) };
    }
    const evidence = await keepEvidence(life, check.name, error);
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', reason, evidence };
  }
}

/**
 * After a failure nobody knows where the agent stands: the next check begins with a new
 * conversation. One that has ended is left as it is, for the check that starts it again.
 */
async function recover(life: Life): Promise<void> {
  try {
    if (life.current?.status === 'exited') return;
    const from = life.events.length;
    await life.restart('--fresh');
    await life.isReady(from);
  } catch {
    // Then the next check fails too, and says why.
  }
}

function describe(outcome: Outcome): string {
  if (outcome.kind === 'failed') return `✗ ${outcome.reason}\n  evidence: ${outcome.evidence}\n `;
  if (outcome.kind === 'spared') return `– ${outcome.reason}`;
  const measured = Object.entries(outcome.measured).map(([name, ms]) => ` ${name} ${ms} ms`);
  return `✓${measured.join(',')}`;
}
