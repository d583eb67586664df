import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRollouts } from '../../../src/providers/codex/rollout.ts';
import type { AttemptTrace, Finding } from '../../../src/providers/way-in.ts';
import type { LabHome } from '../homes/home.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import type { MockLlm } from '../mock-llm/server.ts';
import { CodexLife } from './codex-life.ts';
import { cleanRollouts, type Row } from './codex-recording.ts';
import type { Gate } from './gate.ts';

export interface EvidenceCase {
  readonly name: string;
  readonly wish?: Partial<HomeWish>;
  readonly run: (lab: CodexLab) => Promise<void>;
}

/** What one case has: a home, a mock behind a gate, and the lives that it starts there. */
export class CodexLab {
  readonly home: LabHome;
  readonly mock: MockLlm;
  readonly gate: Gate;
  readonly rows: Row[] = [];
  readonly notes: string[] = [];
  readonly #lives: CodexLife[] = [];

  constructor(home: LabHome, mock: MockLlm, gate: Gate) {
    this.home = home;
    this.mock = mock;
    this.gate = gate;
  }

  /** A first life, or the next one, which resumes the conversation of the last. */
  async start(extraArgs: readonly string[] = []): Promise<CodexLife> {
    const resume = this.#lives.at(-1)?.conversation;
    const epoch = this.#lives.length + 1;
    const life = await CodexLife.open({ home: this.home, epoch, resume, extraArgs });
    this.#lives.push(life);
    return life;
  }

  /** What the model got of a mark, by the log of the mock and of the gate before it. */
  truth(mark: string): string {
    const carrying = this.mock.requests.filter(
      ({ isSide, body }) => !isSide && body.includes(mark),
    );
    const unanswered = this.gate.count(mark) - carrying.length;
    const outcomes: string[] = carrying.map(({ outcome }) => outcome ?? 'open');
    if (unanswered > 0) outcomes.unshift(...Array(unanswered).fill('unanswered'));
    return outcomes.join(', ') || 'nothing';
  }

  note(when: string, { mark }: AttemptTrace, { found, evidence }: Finding): void {
    this.rows.push({ when, mark, found, evidence, model: this.truth(mark) });
  }

  async end(): Promise<void> {
    for (const life of this.#lives) await life.end('quit').catch(() => undefined);
    await this.gate.close();
    await this.mock.close();
  }

  async store(name: string): Promise<void> {
    const ids = new Set(this.#lives.flatMap(({ states }) => states.map((s) => s.conversation)));
    const folder = join('src', 'providers', 'codex', 'recordings');
    mkdirSync(folder, { recursive: true });
    for (const [at, id] of [...ids].filter((id) => id !== undefined).entries()) {
      const paths = await findRollouts(this.home.env, id);
      if (paths.length === 0) continue;
      const text = cleanRollouts(paths, { folder: this.home.folder, name, rows: this.rows });
      writeFileSync(join(folder, at === 0 ? `${name}.jsonl` : `${name}-${at + 1}.jsonl`), text);
    }
  }
}
