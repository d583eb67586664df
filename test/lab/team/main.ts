import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cliEntry } from '../cache.ts';
import { cases } from '../cases/list.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { copyProgram } from '../life/box.ts';
import type { Outcome } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { live } from '../life/take.ts';
import { inClosedNetwork, isNetworkClosed } from '../network.ts';
import { type CliName, cliNames, isCliName } from '../versions.ts';
import { teamCases } from './list.ts';
import { type MixedTeam, mixedTeams, takeMixed } from './mixed.ts';
import { mergeResults, type Row, type TeamResults } from './results.ts';
import { writeGrid } from './table.ts';
import { approveKeys, asChecks, type TeamCase } from './team-case.ts';

/**
 * The grid: supervisors and workers that are real CLIs, the supervisor driven by the mock's
 * scripted calls of the real tools.
 *
 *     npm run lab:team [-- claude-code …] [--short | --all] [--only case,case] [--jobs N]
 *                      [--over-http] [--markdown FILE] [--results FILE] [--transcript FILE]
 *
 * `--all` adds the mixed teams, and a second row for each CLI that asks a person about our tools,
 * with the lab in the person's place. `--over-http` gives the supervisor its tools over HTTP
 * (`toolsOver: http` in a profile). `--results` keeps outcomes as JSON and lays a later run over
 * them. Exit code 1 when a case fails or a CLI that was asked for is not installed; a CLI that
 * cannot do a case is no failure, and is not counted as passed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    'over-http': { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    markdown: { type: 'string' },
    results: { type: 'string' },
    transcript: { type: 'string' },
  },
});

const shortNames: readonly CliName[] = ['claude-code', 'codex', 'gemini'];
const day = new Date().toISOString().slice(0, 10);
const running = new Set<Life>();
let hasTranscript = false;
let removeProgram = (): void => undefined;

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  endOnSignals(() =>
    Promise.allSettled([...running].map((life) => life.close())).finally(() => removeProgram()),
  );
  const usual = values.short ? shortNames : cliNames;
  const names = positionals.length === 0 ? usual : positionals.filter(isCliName);
  if (names.length < positionals.length) {
    process.stderr.write(`usage: lab:team [${cliNames.join('|')}]… [--short|--all]\n`);
    return 2;
  }
  const network = isNetworkClosed() ? 'closed, loopback only' : 'open';
  const { program, remove } = copyProgram();
  removeProgram = remove;
  const missing = names.filter((name) => !cliEntry(name).isInstalled());
  const rows: Row[] = [];
  const left = planTakes(names.filter((name) => !missing.includes(name)));
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const row: Promise<Row> = next(program);
      rows.push(await row);
      // Kept one by one: a run of all takes long, and what was seen is not to be lost with it.
      mergeResults(values.results, { day, network, rows });
    }
  };
  try {
    await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  } finally {
    remove();
  }
  const results: TeamResults = mergeResults(values.results, { day, network, rows });
  const text = writeGrid(results, missing);
  say(`\n${text}`);
  if (values.markdown !== undefined) writeFileSync(values.markdown, text);
  const failed = rows.flatMap(({ outcomes }) => Object.values(outcomes)).filter(isFailed).length;
  for (const name of missing) say(`${name} is not installed; run: npm run lab:install -- ${name}`);
  say(failed === 0 ? 'All hold.' : `${failed} failed.`);
  return failed > 0 || missing.length > 0 ? 1 : 0;
}

type Take = (program: string) => Promise<Row>;

function planTakes(names: readonly CliName[]): Take[] {
  const asking = names.filter((name) => values.all && approveKeys[name] !== undefined);
  const only = values.only?.split(',');
  const mixed = mixedTeams.filter(({ name, supervisor }) =>
    only ? only.includes(name) : values.all && names.includes(supervisor),
  );
  const grid = chooseCases();
  return [
    ...(grid.length === 0
      ? []
      : names.map(
          (name): Take =>
            (program) =>
              take(name, program, grid, false),
        )),
    ...(grid.length === 0
      ? []
      : asking.map(
          (name): Take =>
            (program) =>
              take(name, program, grid, true),
        )),
    ...mixed.map(
      (team): Take =>
        (program) =>
          takeTeam(team, program),
    ),
  ];
}

function chooseCases(): readonly TeamCase[] {
  const only = values.only?.split(',');
  if (only) return teamCases.filter(({ name }) => only.includes(name));
  return values.short ? teamCases.filter(({ isShort }) => isShort) : teamCases;
}

async function take(
  cli: CliName,
  program: string,
  wanted: readonly TeamCase[],
  isApproved: boolean,
): Promise<Row> {
  const startedAt = performance.now();
  const outcomes = new Map<string, Outcome>();
  const taking = { lab: cases[cli], program, say, hold: holdLife };
  const isOverHttp = values['over-http'];
  const version = await live(taking, {}, asChecks(wanted, { isApproved, isOverHttp }), outcomes);
  const totalMs = Math.round(performance.now() - startedAt);
  const how = [...(isApproved ? ['approved by hand'] : []), ...(isOverHttp ? ['over HTTP'] : [])];
  const label = [cli, ...how].join(', ');
  return { label, cli, version, day, totalMs, isApproved, outcomes: Object.fromEntries(outcomes) };
}

async function takeTeam(team: MixedTeam, program: string): Promise<Row> {
  const startedAt = performance.now();
  const taken = await takeMixed(team, { program, say, hold: holdLife });
  const { transcript: path } = values;
  // Of several teams the first that went well is kept.
  if (path !== undefined && taken.transcript !== '' && !hasTranscript) {
    hasTranscript = true;
    writeFileSync(path, taken.transcript);
  }
  const totalMs = Math.round(performance.now() - startedAt);
  return { ...taken.row, day, totalMs };
}

function holdLife(life: Life): void {
  running.add(life);
}

function isFailed({ kind }: Outcome): boolean {
  return kind === 'failed';
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
