import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { realHerdr } from '../../support/install-herdr.ts';
import { cliEntry } from '../cache.ts';
import type { LabCase } from '../cases/case.ts';
import { cases } from '../cases/list.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { copyProgram, type LabTerminal } from '../life/box.ts';
import type { Check, Outcome } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { live } from '../life/take.ts';
import { inClosedNetwork, isNetworkClosed } from '../network.ts';
import { type CliName, cliNames, isCliName, pins } from '../versions.ts';
import { cancelCases } from './cases-cancel.ts';
import { closedCases } from './cases-closed.ts';
import { deafCases } from './cases-deaf.ts';
import { faultCases } from './cases-faults.ts';
import { flightCases } from './cases-flight.ts';
import { goneCases } from './cases-gone.ts';
import { heldCases } from './cases-held.ts';
import { identityCases } from './cases-identity.ts';
import { interruptCases } from './cases-interrupt.ts';
import { interruptDialogCases } from './cases-interrupt-dialogs.ts';
import { interruptTwoCases } from './cases-interrupt-two.ts';
import { hastyCases, peopleCases } from './cases-people.ts';
import { restartCases } from './cases-restart.ts';
import { standingCases } from './cases-standing.ts';
import { subAgentCases } from './cases-sub-agents.ts';
import { syntaxCases } from './cases-syntax.ts';
import { usualCases } from './cases-usual.ts';
import { wordCases } from './cases-words.ts';
import { headline, stories } from './headline.ts';
import { HeldPlaces } from './held-places.ts';
import { sparesInHerdr } from './in-herdr.ts';
import { longBody } from './long-body.ts';
import { mergeResults } from './results.ts';
import { revive } from './revive.ts';
import { type Row, writeTable } from './table.ts';
import { writeTimes } from './times.ts';

/**
 * The proof of delivery: messages into real CLIs, compared with what the mock model really got.
 *
 *     npm run lab:delivery [-- claude-code …] [--short | --all] [--only case,case] [--jobs N]
 *                          [--markdown FILE] [--results FILE] [--stories FILE] [--times FILE]
 *                          [--terminal tmux|herdr]
 *
 * In herdr it is the fake of test/fakes/herdr, or the real one that HERDR_BIN names; what herdr
 * cannot do is left out by name. `--results` keeps outcomes as JSON and lays a later run over them,
 * so that a table can be made of several runs. `--stories` keeps what `explain` says of the
 * headline's completions, `--times` how long the next message took. Exit code 1 when a case fails
 * or a CLI that was asked for is not installed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    markdown: { type: 'string' },
    results: { type: 'string' },
    stories: { type: 'string' },
    times: { type: 'string' },
    terminal: { type: 'string', default: 'tmux' },
  },
});

const everyCase: readonly Check[] = [
  ...usualCases,
  ...standingCases,
  ...subAgentCases,
  ...identityCases,
  ...wordCases,
  longBody,
  ...syntaxCases,
  ...faultCases,
  ...restartCases,
  ...closedCases,
  ...flightCases,
  ...deafCases,
  ...goneCases,
  headline,
  ...peopleCases,
  ...hastyCases,
  ...heldCases,
  ...interruptCases,
  ...interruptTwoCases,
  ...interruptDialogCases,
  ...cancelCases,
];
const terminal: LabTerminal = values.terminal === 'herdr' ? 'herdr' : 'tmux';
const running = new Set<Life>();
let removeProgram = (): void => undefined;
const testBuild = 'node_modules/.cache/signalbox-test-build';

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  endOnSignals(() =>
    Promise.allSettled([...running].map((life) => life.close())).finally(() => removeProgram()),
  );
  const names = positionals.length === 0 ? cliNames : positionals.filter(isCliName);
  if (names.length < positionals.length || terminal !== values.terminal) {
    const clis = cliNames.join('|');
    process.stderr.write(
      `usage: lab:delivery [${clis}]… [--short|--all] [--terminal tmux|herdr]\n`,
    );
    return 2;
  }
  const wanted = chooseCases();
  const published = copyProgram();
  const hasty = copyProgram(testBuild);
  const programs = { published: published.program, hasty: hasty.program };
  const remove = (): void => {
    published.remove();
    hasty.remove();
  };
  removeProgram = remove;
  const missing = names.filter((name) => !cliEntry(name).isInstalled());
  const left = names.filter((name) => !missing.includes(name));
  const rows: Row[] = [];
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name; name = left.shift()) {
      rows.push(await take(name, programs, wanted));
    }
  };
  try {
    await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  } finally {
    remove();
  }
  rows.sort((a, b) => names.indexOf(a.cli) - names.indexOf(b.cli));
  const network = isNetworkClosed() ? 'closed, loopback only' : 'open';
  const all = values.results === undefined ? rows : mergeResults(values.results, rows);
  const shown = values.results === undefined ? wanted : triedIn(all);
  const hastyNames = hastyCases.map(({ name }) => name);
  const facts = { network, missing, hasty: hastyNames, ...described() };
  const text = writeTable(all, shown, facts);
  say(`\n${text}`);
  if (values.markdown !== undefined)
    writeFileSync(values.markdown, `${introOf(values.markdown)}${text}`);
  if (values.stories !== undefined) writeFileSync(values.stories, writeStories());
  if (values.times !== undefined) writeFileSync(values.times, writeTimes(all));
  const failed = rows.flatMap(({ outcomes }) => [...outcomes.values()]).filter(isFailed).length;
  for (const name of missing) say(`${name} is not installed; run: npm run lab:install -- ${name}`);
  say(failed === 0 ? 'All hold.' : `${failed} failed.`);
  return failed > 0 || missing.length > 0 ? 1 : 0;
}

/** What several runs have left together: of what none of them tried nothing is said. */
function triedIn(rows: readonly Row[]): readonly Check[] {
  return everyCase.filter(({ name }) => rows.some(({ outcomes }) => outcomes.has(name)));
}

function writeStories(): string {
  const day = new Date().toISOString().slice(0, 10);
  const told = [...stories].sort().map(([cli, texts]) => {
    const version = pins[cli as CliName].version;
    return `## ${cli} ${version}\n\n\`\`\`console\n${texts.join('\n\n')}\n\`\`\`\n`;
  });
  return [
    `# Three children report to a busy parent, and one to a parent at rest, ${day}`,
    'Real CLIs on the mock model; `lab` is the parent. Of each completion, in the order of the ledger, what `explain` prints; the last one\nfound its parent at rest.',
    ...told,
  ].join('\n\n');
}

function chooseCases(): readonly Check[] {
  const only = values.only?.split(',');
  // Each case but the first finds a running agent, if it does not begin with one of its own.
  const needsFirst = everyCase.some(
    ({ name, hasOwnAgent, hasOwnLife }) => only?.includes(name) && !hasOwnAgent && !hasOwnLife,
  );
  if (only)
    return everyCase.filter(({ name }, i) => (i === 0 && needsFirst) || only.includes(name));
  if (values.short) return everyCase.filter(({ isShort }) => isShort);
  return values.all ? everyCase : everyCase.filter(({ isLong }) => !isLong);
}

interface Programs {
  readonly published: string;
  readonly hasty: string;
}

/** Three lives: in the second our own spans are short, in the third deliveries are held. */
async function take(name: CliName, programs: Programs, wanted: readonly Check[]): Promise<Row> {
  const startedAt = performance.now();
  const outcomes = new Map<string, Outcome>();
  const hold = (life: Life): void => {
    running.add(life);
  };
  const revived = wanted.map((check) => ({ ...check, run: revive(check) }));
  const lab = describeCase(name, wanted);
  const isHasty = ({ name: its }: Check): boolean => hastyCases.some((one) => one.name === its);
  const isHeld = ({ name: its }: Check): boolean => heldCases.some((one) => one.name === its);
  const usual = revived.filter((check) => !isHasty(check) && !isHeld(check));
  const taking = { lab, terminal, say, hold };
  const before = await live({ ...taking, program: programs.published }, {}, usual, outcomes);
  const short = { program: programs.hasty, variables: { SIGNALBOX_SHORT_SPANS: '1' } };
  const after = await live({ ...taking, ...short }, {}, revived.filter(isHasty), outcomes);
  const places = new HeldPlaces();
  const serve = (life: Life): void => {
    hold(life);
    places.serve(life);
  };
  const stopped = { program: programs.published, variables: places.variables, hold: serve };
  const last = await live({ ...taking, ...stopped }, {}, revived.filter(isHeld), outcomes).finally(
    () => places.close(),
  );
  const version = before || after || last;
  return { cli: name, version, outcomes, totalMs: performance.now() - startedAt };
}

function describeCase(name: CliName, wanted: readonly Check[]): LabCase {
  const lab = cases[name];
  if (terminal === 'tmux') return lab;
  const spared = sparesInHerdr(
    name,
    wanted.map((check) => check.name),
  );
  return { ...lab, spares: { ...lab.spares, ...spared } };
}

function described(): { readonly terminals?: string } {
  if (terminal === 'tmux') return {};
  return { terminals: realHerdr ? 'a real herdr' : 'the fake herdr of test/fakes/herdr (0.8.0)' };
}

/**
 * What is written by hand stands above the table: of a page that is there it stays as it is, word
 * for word.
 */
function introOf(page: string): string {
  const herdr = new URL('./intro-herdr.md', import.meta.url);
  const kept = existsSync(page) ? page : terminal === 'herdr' ? herdr : 'docs/delivery.md';
  const [byHand = ''] = readFileSync(kept, 'utf8').split(/^Run on /m, 1);
  return byHand;
}

function isFailed({ kind }: Outcome): boolean {
  return kind === 'failed';
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
