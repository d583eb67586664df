import { parseArgs } from 'node:util';
import { byHand } from '../../../bench/delivery/cli/by-hand.ts';
import type { QueueOnEsc } from '../../../src/providers/capabilities.ts';
import { provider as codex } from '../../../src/providers/codex/provider.ts';
import { provider as copilot } from '../../../src/providers/copilot/provider.ts';
import { provider as opencode } from '../../../src/providers/opencode/provider.ts';
import { provider as qwen } from '../../../src/providers/qwen/provider.ts';
import { cliEntry } from '../cache.ts';
import { cases } from '../cases/list.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { copyProgram } from '../life/box.ts';
import { Life } from '../life/life.ts';
import { inClosedNetwork } from '../network.ts';
import { type CliName, isCliName, pins } from '../versions.ts';
import { type Found, probe, type Situation, situations } from './probe.ts';

/**
 * What Esc does to the messages in each CLI's own queue, by hand and without delivery: the source
 * of `queueOnEsc` (src/providers/capabilities.ts).
 *
 *     npm run lab:queues [-- qwen …] [--times N] [--only answer,tool,dialog,twice]
 *
 * Exit code 1 when the worst that was seen is not what the provider's data says.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '2' }, only: { type: 'string' } },
});

/** Those that take messages of ours into a queue of their own. */
const queued: Readonly<Partial<Record<CliName, QueueOnEsc | undefined>>> = {
  codex: codex.capabilities.queueOnEsc,
  opencode: opencode.capabilities.queueOnEsc,
  copilot: copilot.capabilities.queueOnEsc,
  qwen: qwen.capabilities.queueOnEsc,
};
/**
 * The worst last: what is dropped harms the message, what is returned the person's next prompt too.
 */
const rank = ['kept', 'dropped', 'returned'] as const;
const running = new Set<Life>();

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  endOnSignals(() => Promise.allSettled([...running].map((life) => life.close())));
  const names = (positionals.length === 0 ? Object.keys(queued) : positionals).filter(isCliName);
  const program = copyProgram();
  let wrong = 0;
  try {
    for (const name of names) wrong += await take(name, program.program);
  } finally {
    program.remove();
  }
  return wrong > 0 ? 1 : 0;
}

async function take(name: CliName, program: string): Promise<number> {
  if (!cliEntry(name).isInstalled()) {
    say(`${name} is not installed; run: npm run lab:install -- ${name}`);
    return 1;
  }
  const wanted = situations.filter((one) => values.only?.split(',').includes(one) ?? true);
  const all: Found[] = [];
  let failed = 0;
  for (const situation of wanted) {
    for (let n = 0; n < Number(values.times); n++) {
      const found = await probeOnce(name, program, situation);
      const words = 'what' in found ? `${found.what}: ${found.how}` : `failed: ${found.why}`;
      say(`${name} ${pins[name].version}  ${situation.padEnd(7)} ${n + 1}  ${words}`);
      if ('what' in found) all.push(found);
      else failed++;
    }
  }
  const said = queued[name];
  const worst = rank.findLast((what) => all.some((found) => found.what === what));
  say(`${name} ${pins[name].version}  worst: ${worst}; its data says ${said}`);
  const isWhole = values.only === undefined;
  return failed > 0 || (isWhole && worst !== said) ? 1 : 0;
}

/** Each in a life of its own: what one left in a queue must not meet the next. */
async function probeOnce(
  name: CliName,
  program: string,
  situation: Situation,
): Promise<Found | { readonly why: string }> {
  const life = await Life.open(cases[name], program);
  running.add(life);
  const hands = new byHand[name](life);
  try {
    await hands.prepare?.();
    await life.launch();
    await life.isReady(0);
    await life.ask('@@say hello');
    await life.isReady(life.events.length - 1);
    await life.shows('its conversation', ({ conversation }) => conversation !== undefined);
    await hands.open();
    return await probe(life, hands, situation);
  } catch (error) {
    const screen = await life.hands.look().catch(() => undefined);
    return { why: `${error instanceof Error ? error.message : error}\n${screen?.text.trimEnd()}` };
  } finally {
    await Promise.resolve(hands.close()).catch(() => undefined);
    await life.close();
    running.delete(life);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
