import { systemClock } from '../../shared/clock.ts';
import { OutputLog } from '../output-log.ts';
import type { Followed, News, WatchOrder } from './link.ts';

/**
 * Takes every pane's output as it comes and never waits: into its log, to whoever follows it, and
 * as a hint that there was some. Hints are put together and handed on at most every 20 ms and only
 * when the last news was taken, so that a daemon that is busy for a while finds one piece of news,
 * not a mountain.
 */
export class OutputRelay {
  readonly #send: (news: News) => void;
  readonly #panes = new Map<string, Watched>();
  /** By path: they outlive a connection. */
  readonly #logs = new Map<string, OutputLog>();
  readonly #outputs = new Map<string, number>();
  readonly #troubles = new Map<string, string | undefined>();
  #isChanged = false;
  #isTaken = true;
  #timer: NodeJS.Timeout | undefined;
  #sentAt = 0;

  constructor(send: (news: News) => void) {
    this.#send = send;
  }

  watch(pane: string, { agent, epoch, logPath }: WatchOrder): void {
    const known = this.#panes.get(pane);
    if (known?.agent === agent && known.epoch === epoch && known.logPath === logPath) return;
    this.#panes.set(pane, {
      agent,
      epoch,
      logPath,
      log: this.#openLog(agent, logPath),
      follow: undefined,
    });
  }

  unwatch({ agent, epoch }: Pick<WatchOrder, 'agent' | 'epoch'>): void {
    for (const [pane, watched] of this.#panes) {
      if (watched.agent === agent && watched.epoch === epoch) this.#panes.delete(pane);
    }
    this.#closeUnused();
  }

  follow(pane: string, isOn: boolean): void {
    const watched = this.#panes.get(pane);
    if (watched)
      watched.follow = isOn ? (watched.follow ?? { chunks: [], size: 0, lost: 0 }) : undefined;
  }

  note(pane: string, text: string): void {
    this.#panes.get(pane)?.log.note(text);
  }

  /**
   * Panes of another server may bear the same ids: who is watched is told anew on each connection.
   */
  reset(): void {
    for (const { log } of this.#panes.values())
      log.note('not connected: output may be missing here');
    this.#panes.clear();
  }

  settle(): void {
    this.#closeUnused();
  }

  output(pane: string, bytes: Buffer): void {
    const watched = this.#panes.get(pane);
    if (!watched) return; // A person's own pane beside an agent's, or a helper's.
    watched.log.append(bytes);
    if (watched.follow) keep(watched.follow, bytes);
    this.#outputs.set(watched.agent, (this.#outputs.get(watched.agent) ?? 0) + bytes.length);
    this.#schedule();
  }

  changed(): void {
    this.#isChanged = true;
    this.#schedule();
  }

  taken(): void {
    this.#isTaken = true;
    if (this.#hasNews()) this.#schedule();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#panes.clear();
    await Promise.all([...this.#logs.values()].map((log) => log.close()));
    this.#logs.clear();
  }

  #schedule(): void {
    if (this.#timer || !this.#isTaken) return;
    // The first one after a quiet time goes at once.
    const waitMs = Math.max(0, this.#sentAt + newsMs - systemClock.monotonicMs());
    this.#timer = setTimeout(() => this.#flush(), waitMs);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#isTaken = false;
    this.#sentAt = systemClock.monotonicMs();
    const followed: Followed[] = [];
    for (const [pane, { follow }] of this.#panes) {
      if (!follow || (follow.size === 0 && follow.lost === 0)) continue;
      followed.push({ pane, lost: follow.lost, bytes: Buffer.concat(follow.chunks) });
      Object.assign(follow, { chunks: [], size: 0, lost: 0 });
    }
    const outputs = [...this.#outputs];
    const troubles = [...this.#troubles];
    const isChanged = this.#isChanged;
    this.#outputs.clear();
    this.#troubles.clear();
    this.#isChanged = false;
    this.#send({ isChanged, outputs, followed, troubles });
  }

  #hasNews(): boolean {
    return this.#isChanged || this.#outputs.size > 0 || this.#troubles.size > 0;
  }

  #openLog(agent: string, path: string): OutputLog {
    const known = this.#logs.get(path);
    if (known) return known;
    const trouble = (text: string | undefined) => {
      this.#troubles.set(agent, text);
      this.#schedule();
    };
    const log = new OutputLog(path, { clock: systemClock, trouble });
    this.#logs.set(path, log);
    return log;
  }

  #closeUnused(): void {
    const used = new Set([...this.#panes.values()].map(({ logPath }) => logPath));
    for (const [path, log] of this.#logs) {
      if (used.has(path)) continue;
      this.#logs.delete(path);
      void log.close();
    }
  }
}

interface Watched {
  readonly agent: string;
  readonly epoch: number;
  readonly logPath: string;
  readonly log: OutputLog;
  follow: Follow | undefined;
}

interface Follow {
  chunks: Buffer[];
  size: number;
  /** Bytes dropped before the chunks. */
  lost: number;
}

const newsMs = 20;
/** What a follower may be behind: the oldest goes first, since a screen is made of the newest. */
const followBytes = 256 * 1024;

function keep(follow: Follow, bytes: Buffer): void {
  follow.chunks.push(bytes);
  follow.size += bytes.length;
  while (follow.size > followBytes) {
    const oldest = follow.chunks.shift();
    if (!oldest) return;
    follow.size -= oldest.length;
    follow.lost += oldest.length;
  }
}
