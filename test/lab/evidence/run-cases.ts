import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Provider } from '../../../src/providers/provider.ts';
import type { Finding } from '../../../src/providers/way-in.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type LabHome, openHome } from '../homes/home.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { type MockLlm, openMockLlm } from '../mock-llm/server.ts';
import { inClosedNetwork } from '../network.ts';
import type { Screen } from '../screen.ts';
import type { CliName } from '../versions.ts';
import { type Gate, openGate } from './gate.ts';
import { type Given, ProviderLife } from './provider-life.ts';

export interface EvidenceCase {
  readonly name: string;
  readonly home?: Partial<Omit<HomeWish, 'mockUrl'>>;
  readonly args?: readonly string[];
  /**
   * Gives what is to be stored for the unit tests, line by line; nothing where that would tell
   * nothing new.
   */
  readonly run: (lab: EvidenceLab) => Promise<readonly object[] | undefined>;
}

export interface CaseFamily {
  readonly cli: CliName;
  readonly provider: Provider;
  readonly isReady: (screen: Screen) => boolean;
  readonly cases: readonly EvidenceCase[];
}

/** What one case works with: a home, a mock behind a gate, and the lives of one CLI. */
export class EvidenceLab {
  readonly home: LabHome;
  readonly mock: MockLlm;
  readonly gate: Gate;
  readonly notes: string[] = [];
  readonly #family: CaseFamily;
  readonly #args: readonly string[];
  #life: ProviderLife | undefined;
  readonly #submitted: string[] = [];
  #epoch = 0;

  private constructor(
    family: CaseFamily,
    parts: { readonly home: LabHome; readonly mock: MockLlm; readonly gate: Gate },
    args: readonly string[],
  ) {
    this.#family = family;
    this.home = parts.home;
    this.mock = parts.mock;
    this.gate = parts.gate;
    this.#args = args;
  }

  static async open(family: CaseFamily, wanted: EvidenceCase): Promise<EvidenceLab> {
    const mock = await openMockLlm();
    const gate = await openGate(mock.port);
    const home = openHome(family.cli, { ...wanted.home, mockUrl: gate.url });
    return new EvidenceLab(family, { home, mock, gate }, wanted.args ?? []);
  }

  get life(): ProviderLife {
    if (!this.#life) throw new Error('Nothing was launched yet.');
    return this.#life;
  }

  async launch(resume?: string): Promise<ProviderLife> {
    const { provider, isReady } = this.#family;
    const submitted = this.#submitted;
    const wish = { provider, isReady, submitted, home: this.home, epoch: ++this.#epoch };
    this.#life = await ProviderLife.open({ ...wish, resume, extraArgs: this.#args });
    await this.#life.ready();
    return this.#life;
  }

  /** A person's prompt, whose answer is held until the gate is released. */
  async busy(script: string): Promise<void> {
    this.gate.hold(script);
    await this.life.terminal.prompt(script);
    await this.gate.arrived(script);
  }

  /** A person's prompt, to its end. */
  async ask(script: string): Promise<LoggedRequest> {
    await this.life.terminal.prompt(script);
    return await this.mock.waitFor(
      ({ isSide, lastUserText, outcome }) =>
        !isSide && lastUserText.includes(script) && outcome !== undefined,
    );
  }

  /** Finished requests of turns that held the mark: the ground truth. */
  got({ mark }: Pick<Given, 'mark'>): readonly LoggedRequest[] {
    return this.mock.requests.filter(
      ({ isSide, body, outcome }) => !isSide && outcome === 'finished' && body.includes(mark),
    );
  }

  async gets(given: Given): Promise<void> {
    await waitUntil('the mock to answer it', () => this.got(given).length > 0, 30_000);
  }

  /** What evidence says, and that it says no more than the mock knows. */
  async expect(given: Given, found: Finding['found'], more: object = {}): Promise<Finding> {
    const finding = await this.life.finds({ ...given.trace, ...more }, found);
    this.note(`${found}: ${finding.evidence}`);
    if (found === 'seen' && this.got(given).length === 0) {
      // Output may have begun and not ended.
      const begun = this.mock.requests.some(
        ({ isSide, body }) => !isSide && body.includes(given.mark),
      );
      if (!begun) throw new Error('It says seen, and the model never got it.');
    }
    return finding;
  }

  note(text: string): void {
    this.notes.push(text);
  }

  check(what: string, holds: boolean): void {
    if (!holds) throw new Error(`Not so: ${what}`);
    this.note(`ok: ${what}`);
  }

  /** Without anything that tells where it was made. */
  clean(record: object): string {
    return JSON.stringify(record)
      .replaceAll(this.home.cwd, '/srv/app')
      .replaceAll(this.home.cwd.slice(1), 'srv/app')
      .replaceAll(this.home.home, '/home/lab')
      .replaceAll(this.home.folder, '/srv');
  }

  async close(): Promise<void> {
    try {
      await this.#life?.end();
    } finally {
      await this.gate.close();
      await this.mock.close();
      this.home.remove();
    }
  }
}

/** Runs the cases that are named, or all; stores what they give with `--store`. */
export async function runCases(family: CaseFamily): Promise<number> {
  return await inClosedNetwork(async () => {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { store: { type: 'boolean', default: false } },
    });
    const unknown = positionals.filter((name) => !family.cases.some((each) => each.name === name));
    if (unknown.length > 0) throw new Error(`No case ${unknown.join(', ')}.`);
    let failures = 0;
    for (const wanted of family.cases) {
      if (positionals.length > 0 && !positionals.includes(wanted.name)) continue;
      if (!(await runCase(family, wanted, values.store))) failures++;
    }
    return failures === 0 ? 0 : 1;
  });
}

async function runCase(family: CaseFamily, wanted: EvidenceCase, store: boolean): Promise<boolean> {
  const lab = await EvidenceLab.open(family, wanted);
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  try {
    const records = await wanted.run(lab);
    say(`PASS ${wanted.name}\n${lab.notes.map((note) => `     ${note}`).join('\n')}`);
    if (store && records)
      write(
        family.cli,
        wanted.name,
        records.map((each) => lab.clean(each)),
      );
    return true;
  } catch (error) {
    say(`FAIL ${wanted.name}: ${error instanceof Error ? error.stack : error}`);
    say(lab.notes.map((note) => `     ${note}`).join('\n'));
    say(
      await lab.life.terminal
        .capture()
        .then(({ text }) => text.replaceAll(/\n{2,}/g, '\n'), String),
    );
    return false;
  } finally {
    await lab.close();
  }
}

function write(cli: CliName, name: string, lines: readonly string[]): void {
  const folder = join('src', 'providers', cli, 'recordings');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`);
}
