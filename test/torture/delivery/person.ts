import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentView } from '../../../src/protocol/agents.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { Random } from '../random.ts';
import { enteredMark, handMark } from './receipts.ts';
import type { Station } from './station.ts';

/**
 * Longer than a paste takes from its first byte to its last Enter: a draft that has stood unchanged
 * for so long is finished by nobody.
 */
const abandonedMs = 12_000;
/** A tmux in a tmux needs a moment to attach. */
const attachMs = 3000;
/** How long somebody waits for an agent that works before they go to another. */
const readyMs = 2000;

/**
 * The person at the terminals. Types as people do, through a client that is attached: what was
 * typed by whom is what the paste goes by (rule 24). Never presses Enter but with words of their
 * own, so that every other Enter is signalbox's.
 */
export class Person {
  readonly count = { drafts: 0, prompts: 0, scrolls: 0, answers: 0, cleared: 0 };
  readonly #station: Station;
  readonly #random: Random;
  readonly #stood = new Map<string, { readonly screen: string; readonly sinceMs: number }>();
  readonly #answering = new Set<string>();
  /** Two people at one terminal would send each other's words. */
  readonly #visited = new Set<string>();

  constructor(station: Station, random: Random) {
    this.#station = station;
    this.#random = random;
  }

  async open(): Promise<void> {
    await this.#desk('new-session', '-d', '-x', '110', '-y', '40', 'sleep 3600');
  }

  async close(): Promise<void> {
    await this.#desk('kill-server');
  }

  async run(isLoaded: () => boolean): Promise<void> {
    while (isLoaded()) {
      await delay(this.#random.between(100, 800));
      const agents = (await this.#station.look()) ?? [];
      const free = agents.filter(({ id }) => !this.#visited.has(id));
      if (free.length === 0 || !isLoaded()) continue;
      const agent = this.#random.pick(free);
      this.#visited.add(agent.id);
      const place = await this.#station.pane(agent.id);
      if (place && this.#random.chance(0.3)) await this.#scroll(place.pane);
      else if (place) await this.#type(place);
      this.#visited.delete(agent.id);
    }
  }

  /**
   * What is asked is answered, and what stands in a composer without anybody's doing is cleared
   * away.
   */
  lookAfter(agents: readonly AgentView[]): void {
    for (const agent of agents) {
      if (this.#answering.has(agent.id)) continue;
      this.#answering.add(agent.id);
      const done = agent.status === 'waiting' ? this.#answer(agent) : this.#tidy(agent);
      void done.finally(() => this.#answering.delete(agent.id));
    }
  }

  async #answer({ id }: AgentView): Promise<void> {
    await delay(this.#random.between(300, 1500));
    const place = await this.#station.pane(id);
    if (!place || !(await this.#screen(place.pane)).includes('enter to confirm')) return;
    await this.#station.tmux(
      'send-keys',
      '-t',
      place.pane,
      this.#random.pick(['1', '1', 'Escape']),
    );
    this.count.answers++;
  }

  async #tidy({ id, status }: AgentView): Promise<void> {
    const place = isAtRest(status) ? await this.#station.pane(id) : undefined;
    const screen = place ? await this.#screen(place.pane) : '';
    if (!place || !screen.includes('enter to send')) {
      this.#stood.delete(id);
      return;
    }
    const now = systemClock.monotonicMs();
    const before = this.#stood.get(id);
    if (before?.screen !== screen) this.#stood.set(id, { screen, sinceMs: now });
    else if (now - before.sinceMs > abandonedMs) {
      await this.#station.tmux('send-keys', '-t', place.pane, 'C-u');
      this.#stood.delete(id);
      this.count.cleared++;
    }
  }

  async #scroll(pane: string): Promise<void> {
    await this.#station.tmux('copy-mode', '-t', pane);
    this.count.scrolls++;
    await delay(this.#random.between(500, 3000));
    await this.#station.tmux('send-keys', '-t', pane, '-X', 'cancel');
  }

  async #type({ pane, session }: { pane: string; session: string }): Promise<void> {
    const socket = join(this.#station.home, 'tmux.sock');
    const attach = `env -u TMUX -u TMUX_PANE tmux -u -S ${socket} attach-session -t '=${session}'`;
    const seat = await this.#desk('new-window', '-d', '-P', '-F', '#{pane_id}', attach);
    if (seat === undefined) return;
    try {
      if (!(await this.#isAttached(session))) return;
      await delay(this.#random.between(0, 1500));
      // A person looks before they type.
      if (!(await this.#isReady(pane))) return;
      if (this.#random.chance(0.35)) {
        const words = `${enteredMark}-${++this.count.prompts} @@work 300`;
        await this.#desk(
          'send-keys',
          '-t',
          seat,
          '-l',
          words,
          ';',
          'send-keys',
          '-t',
          seat,
          'Enter',
        );
        return;
      }
      await this.#desk(
        'send-keys',
        '-t',
        seat,
        '-l',
        `${handMark}-${++this.count.drafts} a thought`,
      );
      await delay(this.#random.between(1500, 6000));
      await this.#desk('send-keys', '-t', seat, 'C-u');
    } finally {
      await delay(100);
      await this.#desk('kill-pane', '-t', seat);
    }
  }

  async #isAttached(session: string): Promise<boolean> {
    const end = systemClock.monotonicMs() + attachMs;
    while (systemClock.monotonicMs() < end) {
      const format = '#{client_control_mode} #{session_name}';
      const clients = (await this.#station.tmux('list-clients', '-F', format)) ?? '';
      if (clients.split('\n').includes(`0 ${session}`)) return true;
      await delay(50);
    }
    return false;
  }

  async #isReady(pane: string): Promise<boolean> {
    const end = systemClock.monotonicMs() + readyMs;
    while (systemClock.monotonicMs() < end) {
      if ((await this.#screen(pane)).includes('? for shortcuts')) return true;
      await delay(50);
    }
    return false;
  }

  async #screen(pane: string): Promise<string> {
    return (await this.#station.tmux('capture-pane', '-p', '-t', pane)) ?? '';
  }

  /** The person's own tmux, in whose windows the clients run. */
  #desk(...args: readonly string[]): Promise<string | undefined> {
    const { TMUX: _, TMUX_PANE: __, ...rest } = process.env;
    const env = { ...rest, SIGNALBOX_HOME: this.#station.home };
    const desk = ['-u', '-S', join(this.#station.home, 'desk.sock'), '-f', '/dev/null'];
    return new Promise((done) => {
      execFile('tmux', [...desk, ...args], { env, timeout: 5000 }, (error, stdout) =>
        done(error ? undefined : stdout.trimEnd()),
      );
    });
  }
}

export function isAtRest(status: string): boolean {
  return status === 'idle' || status === 'completed' || status === 'error';
}
