import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentStatus } from '../../../src/agents/agent.ts';
import type { Composer } from '../../../src/agents/status.ts';
import type { EventView } from '../../../src/protocol/events.ts';
import type { LabBox } from './box.ts';

/** One word of signalbox about an agent, as it was published. */
export interface StatusEvent {
  /** When the daemon said it, milliseconds since 1970: the same clock as the mock's. */
  readonly at: number;
  readonly agent: string;
  readonly status: AgentStatus;
  readonly detail?: string;
  readonly source?: string;
  readonly composer?: Composer;
}

/**
 * Everything that was published about the statuses of a box, by `signalbox events --follow`. It
 * goes on when the daemon was killed: the stream waits for the next one, and when it gives up
 * another is begun.
 */
export class StatusLog {
  readonly events: StatusEvent[] = [];
  readonly #box: LabBox;
  #child: ChildProcess | undefined;
  #isClosed = false;

  private constructor(box: LabBox) {
    this.#box = box;
  }

  /**
   * Resolves when the daemon counts it among those who listen: what happens from then on is heard.
   */
  static async open(box: LabBox): Promise<StatusLog> {
    const log = new StatusLog(box);
    const before = await box.subscribers();
    void log.#follow();
    const endsAt = performance.now() + 60_000;
    while ((await box.subscribers()) <= before) {
      if (performance.now() > endsAt) throw new Error('The event stream never began.');
    }
    return log;
  }

  of(agent: string): readonly StatusEvent[] {
    return this.events.filter((event) => event.agent === agent);
  }

  close(): void {
    this.#isClosed = true;
    this.#child?.kill('SIGTERM');
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      const topics = ['--topic', 'agent.*.status', '--topic', 'agent.*.exited'];
      const child = this.#box.spawn(['events', '--follow', '--json', ...topics]);
      this.#child = child;
      child.once('error', () => undefined);
      child.stderr?.resume();
      if (child.stdout) {
        for await (const line of createInterface({ input: child.stdout })) this.#take(line);
      }
      if (!this.#isClosed) await delay(200);
    }
  }

  #take(line: string): void {
    const { topic, at, data } = JSON.parse(line) as EventView;
    const [kind, agent = '', what] = topic.split('.');
    if (kind !== 'agent') return; // A gap: the current statuses follow it.
    const event = { ...data, ...(what === 'exited' ? { status: 'exited' } : {}) };
    this.events.push({ ...event, agent, at: Date.parse(at) } as StatusEvent);
  }
}
