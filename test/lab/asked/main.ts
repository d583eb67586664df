import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cliEntry } from '../cache.ts';
import { cases } from '../cases/list.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { copyProgram } from '../life/box.ts';
import { keepEvidence } from '../life/evidence.ts';
import { isAtRest, Life } from '../life/life.ts';
import { inClosedNetwork, isNetworkClosed } from '../network.ts';
import { type CliName, isCliName, pins } from '../versions.ts';
import { type Asking, askers } from './askers.ts';
import { answerCases } from './cases.ts';
import { type AnswerCase, pressInDialog } from './scene.ts';

/**
 * Answers to what real CLIs ask, each through its own channel, by the commands that people, scripts
 * and agents run.
 *
 *     npm run lab:answers [-- claude-code …] [--only allowed,denied] [--markdown FILE]
 *
 * Exit code 1 when a case fails, or a CLI that was asked for is not installed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, markdown: { type: 'string' } },
});

const running = new Set<Life>();
const asked = Object.keys(askers).filter(isCliName);
const names = positionals.length === 0 ? asked : positionals.filter(isCliName);
const wanted = answerCases.filter(({ name }) => values.only?.split(',').includes(name) ?? true);
const day = new Date().toISOString().slice(0, 10);

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  endOnSignals(() => Promise.allSettled([...running].map((life) => life.close())));
  // With fail-points: where a daemon can die with a decision.
  const program = copyProgram('node_modules/.cache/signalbox-test-build');
  const columns = new Map<CliName, ReadonlyMap<string, string>>();
  try {
    for (const name of names) columns.set(name, await take(name, program.program));
  } finally {
    program.remove();
  }
  const text = writeTable(columns);
  process.stdout.write(`\n${text}`);
  if (values.markdown !== undefined) writeFileSync(values.markdown, text);
  const all = [...columns.values()].flatMap((column) => [...column.values()]);
  return all.length > 0 && all.every((outcome) => outcome === 'holds') ? 0 : 1;
}

/** Every case in one life, in order: each leaves the agent at rest, and the last one ends it. */
async function take(name: CliName, program: string): Promise<ReadonlyMap<string, string>> {
  const asking = askers[name];
  const outcomes = new Map<string, string>();
  if (!asking || !cliEntry(name).isInstalled()) {
    return outcomes.set('', `not installed; run: npm run lab:install -- ${name}`);
  }
  const its = wanted.filter(({ isFor = () => true }) => isFor(asking));
  for (let left: readonly AnswerCase[] = its; left.length > 0; ) {
    const life = await Life.open(cases[name], program);
    running.add(life);
    try {
      await life.box.ask(['launch', 'generic', '--name', 'boss'], { tail: ['sleep', '86400'] });
      await begin(life, asking);
      for (const one of left) {
        left = left.slice(1);
        const startedAt = performance.now();
        try {
          await one.run({ life, asking });
          outcomes.set(one.name, 'holds');
        } catch (error) {
          outcomes.set(one.name, `fails: ${error instanceof Error ? error.message : error}`);
          say(await keepEvidence(life, one.name, error));
        }
        const ms = Math.round(performance.now() - startedAt);
        say(`${name}  ${one.name}: ${outcomes.get(one.name)} (${ms} ms)`);
        // Whatever a failed case has left open is not for the next one.
        if (outcomes.get(one.name) !== 'holds') break;
      }
    } finally {
      await life.close();
      running.delete(life);
    }
  }
  return outcomes;
}

async function begin(life: Life, { consent }: Asking): Promise<void> {
  const { name } = life.lab;
  await life.launch([], consent ? writeProfile(life) : name, ['--parent', 'boss']);
  if (!consent) return await life.isReady(0);
  // It draws its composer first, and asks seconds later.
  await pressInDialog(life, consent.dialog, consent.keys);
  await life.shows('rest', isAtRest);
}

/** A person's own; its name. */
function writeProfile({ box, lab }: Life): string {
  const folder = join(box.state, 'profiles');
  mkdirSync(folder, { recursive: true });
  const head = `name: remote\ndescription: Answered from elsewhere.\nprovider: ${lab.name}`;
  writeFileSync(join(folder, 'remote.md'), `---\n${head}\napprovals: remote\n---\n\nYou work.\n`);
  return 'remote';
}

function writeTable(columns: ReadonlyMap<CliName, ReadonlyMap<string, string>>): string {
  const heads = [...columns.keys()].map((name) => `${name} ${pins[name].version}`);
  const channels = [...columns.keys()].map((name) => askers[name]?.channel ?? '');
  const line = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = wanted.map(({ name, promise }) =>
    line(name, promise, ...[...columns.values()].map((column) => column.get(name) ?? '')),
  );
  return [
    line('case', 'what must be seen', ...heads),
    line('---', '---', ...heads.map(() => '---')),
    line('', 'the channel', ...channels),
    ...rows,
    '',
    `Made on ${day} by \`npm run lab:answers\`; network ${isNetworkClosed() ? 'closed, loopback only' : 'open'}.`,
    '',
  ].join('\n');
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
