import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTranscript } from '../../../src/providers/claude-code/find-transcript.ts';
import type { AttemptTrace, Finding } from '../../../src/providers/way-in.ts';
import type { LabHome } from '../homes/home.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import type { MockLlm } from '../mock-llm/server.ts';
import { ClaudeLife, until } from './claude-code-life.ts';
import { cleanTranscript, type Row } from './claude-code-recording.ts';
import type { Gate } from './gate.ts';

export interface EvidenceCase {
  readonly name: string;
  readonly wish?: Partial<HomeWish>;
  readonly run: (lab: ClaudeLab) => Promise<void>;
}

export class ClaudeLab {
  readonly home: LabHome;
  readonly mock: MockLlm;
  readonly gate: Gate;
  readonly rows: Row[] = [];
  readonly notes: string[] = [];
  readonly lives: ClaudeLife[] = [];

  constructor(home: LabHome, mock: MockLlm, gate: Gate) {
    this.home = home;
    this.mock = mock;
    this.gate = gate;
  }

  /** A first life, or the next one, which resumes the conversation of the last. */
  async start(): Promise<ClaudeLife> {
    const resume = this.lives.at(-1)?.conversation;
    const life = await ClaudeLife.open({ home: this.home, epoch: this.lives.length + 1, resume });
    this.lives.push(life);
    return life;
  }

  /** What the model got of a mark, by the log of the mock and of the gate before it. */
  truth(mark: string): string {
    const got = this.mock.requests.filter(({ isSide, body }) => !isSide && body.includes(mark));
    if (got.length > 0) return got.map(({ outcome }) => outcome ?? 'open').join(', ');
    return this.gate.has(mark) ? 'held or refused' : 'nothing';
  }

  note(when: string, { mark, route }: AttemptTrace, { found, evidence }: Finding): void {
    this.rows.push({ when, mark, route, found, evidence, model: this.truth(mark) });
  }

  async end(): Promise<void> {
    for (const life of this.lives) await life.end('quit').catch(() => undefined);
    await this.gate.close();
    await this.mock.close();
  }

  async store(name: string): Promise<void> {
    const { version } = this.home.cli;
    const folder = join('src', 'providers', 'claude-code', 'recordings', version);
    mkdirSync(folder, { recursive: true });
    const ids = new Set(this.lives.flatMap(({ conversations }) => [...conversations]));
    for (const [at, conversation] of [...ids].entries()) {
      const path = await findTranscript({ conversation, cwd: this.home.cwd, env: this.home.env });
      if (path === undefined) continue;
      const text = cleanTranscript(path, { folder: this.home.folder, name, rows: this.rows });
      writeFileSync(join(folder, at === 0 ? `${name}.jsonl` : `${name}-${at + 1}.jsonl`), text);
    }
  }
}

/** Waits until exactly these turn ends were told. */
export async function ends(
  lab: ClaudeLab,
  life: ClaudeLife,
  expected: readonly string[],
): Promise<void> {
  const told = () => life.turnEnds.map(({ outcome }) => outcome).join(', ');
  const wanted = expected.join(', ');
  await until(`the turn ends ${wanted}`, () => told() === wanted).catch((error: Error) => {
    throw new Error(`${error.message} Told: ${told()}`);
  });
  lab.notes.push(`turn ends: ${wanted}`);
}
