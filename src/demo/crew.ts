import { systemClock } from '../shared/clock.ts';
import { AgentProcess, type End } from './agent-process.ts';
import type { Happening } from './moment.ts';
import { pause } from './pause.ts';
import { type CrashWindow, crashWindows, type Report } from './report.ts';
import { team } from './team.ts';

/** So often may programs end without being killed before the demo gives up. */
const maxFailures = 5;
/** Rest between the death and the next life of a program. */
const downMs = { least: 60, most: 300 } as const;
/** So long an orderly end may take before it is a kill. */
const endWithinMs = 5_000;

export interface CrewOptions {
  readonly home: string;
  firstJob(): number;
  onReport(agent: string, report: Report): void;
  show(happening: Happening): void;
}

/**
 * The processes of the demo. Each agent lives on until the end: whenever its program dies it is started again, after a
 * random kill with the next crash window that has not been shown yet, so that it dies once more, exactly there.
 */
export class Crew {
  kills = 0;
  failures = 0;
  readonly windows: Record<CrashWindow, number> = {
    'drain.claimed': 0,
    'drain.injected': 0,
    'demo.received': 0,
    'demo.sent': 0,
  };
  readonly #options: CrewOptions;
  readonly #lives = new Map<string, AgentProcess>();
  readonly #toShow: CrashWindow[] = [...crashWindows];
  readonly #calm = new AbortController();
  #isOver = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** Resolves at the end; rejects when programs keep failing. */
  async run(): Promise<void> {
    await Promise.all(team.map((name) => this.#keepAlive(name)));
  }

  get isComplete(): boolean {
    return team.every((name) => this.#lives.get(name)?.isRunning);
  }

  get isResting(): boolean {
    return team.every((name) => this.#lives.get(name)?.isResting);
  }

  get hasShownAllWindows(): boolean {
    return crashWindows.every((window) => this.windows[window] > 0);
  }

  /** Kills one that runs, at random; nobody when too many are down, or it would spoil a planned death. */
  killOne(except: string | undefined): string | undefined {
    const running = team.filter((name) => this.#lives.get(name)?.isRunning);
    const candidates = running.filter((name) => name !== except && !this.#lives.get(name)?.window);
    const victim = candidates[Math.floor(Math.random() * candidates.length)];
    if (victim === undefined || running.length < team.length - 1) return undefined;
    this.#lives.get(victim)?.kill();
    return victim;
  }

  /** From now on nobody is killed, and nobody begins anything new. */
  calmDown(): void {
    this.#calm.abort();
    for (const life of this.#lives.values()) life.rest();
  }

  /** Ends all of them, in order if they can. Returns when the last is gone. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#calm.abort();
    for (const life of this.#lives.values()) life.release();
    const gone = new AbortController();
    const all = Promise.all([...this.#lives.values()].map((life) => life.ended));
    const late = systemClock.sleep(endWithinMs, gone.signal).then(
      () => this.killAll(),
      () => undefined,
    );
    await all;
    gone.abort();
    await late;
  }

  killAll(): void {
    this.#isOver = true;
    for (const life of this.#lives.values()) life.kill();
  }

  async #keepAlive(name: string): Promise<void> {
    let window: CrashWindow | undefined;
    for (let life = 1; !this.#isOver; life++) {
      const agent = this.#start(name, life, window);
      const end = await agent.ended;
      if (this.#isOver) return;
      const isHit = window !== undefined && end.how === 'killed' && !agent.isKilledByUs;
      if (window && !isHit) this.#toShow.push(window);
      this.#record(name, end, isHit ? window : undefined);
      const { least, most } = downMs;
      await pause(least + Math.random() * (most - least), this.#calm.signal);
      // Never two planned deaths in a row: people should see it come back.
      window = isHit || this.#calm.signal.aborted ? undefined : this.#toShow.shift();
    }
  }

  #start(name: string, life: number, window: CrashWindow | undefined): AgentProcess {
    const { home, firstJob, onReport, show } = this.#options;
    const agent: AgentProcess = new AgentProcess({
      name,
      home,
      firstJob: firstJob(),
      ...(window ? { window } : {}),
      onReport: (report) => {
        if (report.fact === 'started') show({ what: 'started', agent: name, pid: agent.pid, life });
        onReport(name, report);
      },
    });
    this.#lives.set(name, agent);
    if (this.#calm.signal.aborted) agent.rest();
    return agent;
  }

  #record(agent: string, { how, why }: End, window: CrashWindow | undefined): void {
    if (how === 'killed') {
      this.kills++;
      if (window) this.windows[window]++;
      this.#options.show({ what: 'killed', agent, ...(window ? { window } : {}) });
      return;
    }
    this.failures++;
    this.#options.show({ what: 'failed', agent, why });
    if (this.failures > maxFailures) {
      throw new Error(`The demo's programs keep ending by themselves; the last one said: ${why}`);
    }
  }
}
