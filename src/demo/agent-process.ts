import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CrashWindow, Report } from './report.ts';

export interface AgentStart {
  readonly name: string;
  readonly home: string;
  readonly firstJob: number;
  /** Kill itself exactly there. */
  readonly window?: CrashWindow;
  onReport(report: Report): void;
}

export interface End {
  readonly how: 'killed' | 'by-itself';
  readonly why: string;
}

/** One life of one agent's program. */
export class AgentProcess {
  readonly pid: number;
  readonly window: CrashWindow | undefined;
  /** Resolves once the process is gone and everything it had said is read. */
  readonly ended: Promise<End>;
  #state: 'starting' | 'running' | 'resting' | 'gone' = 'starting';
  #isKilledByUs = false;
  readonly #child: ChildProcess;

  constructor(start: AgentStart) {
    this.window = start.window;
    this.#child = spawn(process.execPath, [...findProgram(), String(start.firstJob)], {
      env: {
        ...process.env,
        SIGNALBOX_HOME: start.home,
        SIGNALBOX_AGENT: start.name,
        SIGNALBOX_FAILPOINTS: start.window ? `${start.window}=kill` : '',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.pid = this.#child.pid ?? 0;
    this.#listen(start);
    this.ended = this.#waitForEnd();
  }

  get isRunning(): boolean {
    return !this.#isKilledByUs && (this.#state === 'running' || this.#state === 'resting');
  }

  get isResting(): boolean {
    return this.#state === 'resting';
  }

  /** From outside, and not by its own fail-point or by somebody who joins in. */
  get isKilledByUs(): boolean {
    return this.#isKilledByUs;
  }

  /** Begin nothing new. */
  rest(): void {
    this.#child.stdin?.write('rest\n');
  }

  /** End in order. */
  release(): void {
    this.#child.stdin?.end();
  }

  kill(): void {
    this.#isKilledByUs = true;
    this.#child.kill('SIGKILL');
  }

  #listen({ onReport }: AgentStart): void {
    const { stdin, stdout } = this.#child;
    stdin?.on('error', () => undefined); // It may be gone before it has read everything.
    if (!stdout) return;
    createInterface({ input: stdout }).on('line', (line) => {
      const report = JSON.parse(line) as Report;
      if (report.fact === 'started') this.#state = 'running';
      if (report.fact === 'resting') this.#state = 'resting';
      onReport(report);
    });
  }

  #waitForEnd(): Promise<End> {
    let said = '';
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
    });
    return new Promise((resolve) => {
      const end = (how: End['how'], why: string): void => {
        this.#state = 'gone';
        resolve({ how, why });
      };
      this.#child.once('error', (error) => end('by-itself', error.message));
      this.#child.once('close', (code, signal) => {
        const how = signal === 'SIGKILL' ? 'killed' : 'by-itself';
        end(how, said.trim().split('\n', 1)[0] || (signal ?? `exit code ${code}`));
      });
    });
  }
}

/** Beside the bundle in the package; from source, run as this process was. */
function findProgram(): readonly string[] {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  return here.endsWith('.ts')
    ? [...process.execArgv, join(folder, 'agent.ts')]
    : [join(folder, 'demo-agent.cjs')];
}
