import { cases } from '../../../test/lab/cases/list.ts';
import { Life } from '../../../test/lab/life/life.ts';
import { type CliName, pins } from '../../../test/lab/versions.ts';
import type { BuiltSurroundings } from '../../parts.ts';
import { byHand } from './by-hand.ts';
import { Exchange, type Sample, type Side, type State } from './exchange.ts';
import type { OpenOurs } from './ours.ts';
import { paces } from './pace.ts';
import type { ByHand } from './route.ts';

export interface Measured {
  readonly name: CliName;
  readonly version: string;
  readonly samples: Readonly<Record<Side, readonly Sample[]>>;
  /** Of our side. */
  readonly routes: Readonly<Record<State, string>>;
  /** Why there are fewer samples than wanted. */
  readonly failure?: string;
}

/** What was measured before something went wrong still counts; that it did is said. */
export async function measureCli(
  around: BuiltSurroundings,
  name: CliName,
  openOurs: OpenOurs,
): Promise<Measured> {
  const { say, program } = around;
  const samples: Record<Side, Sample[]> = { ours: [], byHand: [] };
  let routes = { idle: 'route unknown', busy: 'route unknown' };
  let failure: string | undefined;
  const startedAt = performance.now();
  try {
    const life = await Life.open(cases[name], program);
    const hands = new byHand[name](life);
    let exchange: Exchange | undefined;
    try {
      await hands.prepare?.();
      await life.launch();
      await life.isReady(0);
      const ours = await openOurs(life);
      exchange = new Exchange(life, { ours, byHand: hands, pace: paces[name] });
      await begin(hands, exchange);
      await takeTurns(around, exchange, samples);
    } finally {
      routes = (await exchange?.tellRoutes().catch(() => undefined)) ?? routes;
      await Promise.resolve(hands.close()).catch(() => undefined);
      await life.close();
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  say(`${name}: ${samples.ours.length} rounds, ${seconds} s${failure ? `; ${failure}` : ''}`);
  const { version } = pins[name];
  return { name, version, samples, routes, ...(failure === undefined ? {} : { failure }) };
}

/**
 * One of ours begins the conversation. Both sides get warm: the first few of OpenCode 1.18.33 take
 * three times as long.
 */
async function begin(hands: ByHand, exchange: Exchange): Promise<void> {
  await exchange.take('ours', 0);
  await hands.open();
  for (const side of ['byHand', 'ours', 'byHand'] as const) await exchange.take(side, 0);
}

async function takeTurns(
  { quick, signal }: BuiltSurroundings,
  exchange: Exchange,
  samples: Record<Side, Sample[]>,
): Promise<void> {
  const rounds = quick ? 3 : 20;
  for (let round = 0; round < rounds; round++) {
    const order: readonly Side[] = round % 2 === 0 ? ['ours', 'byHand'] : ['byHand', 'ours'];
    for (const side of order) {
      signal.throwIfAborted();
      samples[side].push(await exchange.take(side, round / rounds));
    }
  }
}
