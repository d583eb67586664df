import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '../../../src/providers/provider.ts';
import type { AttemptTrace, Finding } from '../../../src/providers/way-in.ts';
import { type LabHome, openHome } from '../homes/home.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import { type MockLlm, openMockLlm } from '../mock-llm/server.ts';
import { inClosedNetwork } from '../network.ts';
import type { CliName } from '../versions.ts';
import { type Gate, openGate } from './gate.ts';
import { HookedLife } from './hooked-life.ts';

export interface StageCase {
  readonly name: string;
  readonly wish?: Partial<HomeWish>;
  /** What is left of its records at the end does not tell what was found. */
  readonly isForgotten?: true;
  readonly run: (stage: Stage) => Promise<void>;
}

interface CliStage {
  readonly cli: CliName;
  readonly provider: Provider;
  readonly cases: readonly StageCase[];
  /** What makes its home one that was used before. */
  readonly prepare?: (home: LabHome) => void;
  /** The files that are kept, and one line of them as it is kept; undefined: left out. */
  readonly findRecords: (stage: Stage) => readonly string[];
  readonly shorten: (record: Json) => Json | undefined;
}

export type Json = Record<string, unknown>;

/**
 * One case: a home, a mock with a gate before it, and the lives of one agent, one after the other.
 */
export class Stage {
  readonly rows: { when: string; mark: string; found: string; model: string; evidence: string }[] =
    [];
  readonly notes: string[] = [];
  readonly lives: HookedLife[] = [];
  readonly home: LabHome;
  readonly mock: MockLlm;
  readonly gate: Gate;
  readonly #provider: Provider;

  constructor(home: LabHome, mock: MockLlm, gate: Gate, provider: Provider) {
    this.home = home;
    this.mock = mock;
    this.gate = gate;
    this.#provider = provider;
  }

  /** A first life, or the next one, which resumes the conversation of the last. */
  start(extraArgs: readonly string[] = [], last = this.lives.at(-1)): Promise<HookedLife> {
    return this.open(last?.conversation, extraArgs);
  }

  /** Without a conversation: another agent in the same folder. */
  async open(resume?: string, extraArgs: readonly string[] = []): Promise<HookedLife> {
    const { home } = this;
    const epoch = this.lives.length + 1;
    const provider = this.#provider;
    const life = await HookedLife.open({ provider, home, epoch, resume, extraArgs });
    this.lives.push(life);
    return life;
  }

  /** What the model got of a mark, by the log of the mock. */
  truth(mark: string): string {
    const carrying = this.mock.requests.filter(
      ({ isSide, body }) => !isSide && body.includes(mark),
    );
    if (carrying.length === 0) return 'nothing';
    return carrying.map(({ outcome }) => outcome ?? 'open').join(', ');
  }

  note(when: string, { mark }: AttemptTrace, { found, evidence, because }: Finding): void {
    const said = because === undefined ? found : `${found} (${because})`;
    this.rows.push({ when, mark, found: said, evidence, model: this.truth(mark) });
  }
}

export async function runCli(stage: CliStage): Promise<void> {
  process.exitCode = await inClosedNetwork(async () => {
    const wanted = process.argv.slice(2);
    const chosen = stage.cases.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
    say('| case | when | found | the model got | evidence |\n|---|---|---|---|---|');
    let failed = 0;
    for (const one of chosen) if (!(await runCase(stage, one))) failed++;
    say(failed === 0 ? 'All as expected.' : `${failed} failed.`);
    return failed === 0 ? 0 : 1;
  });
}

async function runCase(
  cli: CliStage,
  { name, wish, isForgotten, run }: StageCase,
): Promise<boolean> {
  const mock = await openMockLlm();
  const gate = await openGate(mock.port);
  const home = openHome(cli.cli, { ...wish, mockUrl: gate.url });
  const stage = new Stage(home, mock, gate, cli.provider);
  let failure: unknown;
  try {
    cli.prepare?.(home);
    await run(stage);
    if (!isForgotten) store(cli, stage, name);
  } catch (error) {
    failure = error;
  } finally {
    for (const life of stage.lives) await life.end().catch(() => undefined);
    await gate.close();
    await mock.close();
    if (process.env['LAB_KEEP'] === undefined) home.remove();
    else say(`kept: ${home.folder}`);
  }
  for (const { when, found, model, evidence } of stage.rows) {
    say(`| ${name} | ${when} | ${found} | ${model} | ${evidence} |`);
  }
  for (const life of stage.lives) {
    for (const end of life.turnEnds) say(`| ${name} | turn end: ${JSON.stringify(end)} | | | |`);
  }
  for (const note of stage.notes) say(`| ${name} | ${note} | | | |`);
  if (failure) say(`FAILED ${name}: ${failure instanceof Error ? failure.stack : failure}`);
  return failure === undefined;
}

/**
 * Each file as a fixture: its first line says what was found at last about each mark, then come the
 * records.
 */
function store(cli: CliStage, stage: Stage, name: string): void {
  const folder = join('src', 'providers', cli.cli, 'recordings');
  mkdirSync(folder, { recursive: true });
  const last = new Map(stage.rows.map(({ mark, found, model }) => [mark, { found, model }]));
  const version = `${cli.cli} ${stage.home.cli.version}`;
  for (const [at, path] of cli.findRecords(stage).entries()) {
    const head = { type: 'lab', case: name, cli: version, marks: Object.fromEntries(last) };
    const records = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Json)
      .flatMap((record) => cli.shorten(record) ?? []);
    const text = [head, ...records].map((record) => JSON.stringify(record)).join('\n');
    const clean = text
      .replaceAll(stage.home.folder, '/srv/lab')
      .replace(new RegExp(`\\b${hostname().replaceAll('.', '\\.')}\\b`, 'g'), 'host')
      .replaceAll(`"${userInfo().username}"`, '"lab"');
    writeFileSync(join(folder, `${name}${at === 0 ? '' : `-${at + 1}`}.jsonl`), `${clean}\n`);
  }
}

/** Long texts add nothing that a judge reads. */
export function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 600 ? `${value.slice(0, 600)}…` : value;
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
