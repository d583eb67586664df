/** Who lives in the run, and what each of them is for. */
export const agents = {
  /** Several drainers each, all of them killed. */
  ordinary: ['ada', 'bob', 'cyd', 'user'],
  /** Drained by commands alone: a worker would have emptied it before a command has started. */
  commanded: 'dee',
  /** Its drainers are left alone: the control group. */
  calm: 'calm',
  /** Large messages, and drainers that die in the middle of printing. */
  bulk: 'bulk',
  /**
   * Nobody drains it before the end: times to live pass, acks by id come first, the last drain is
   * large.
   */
  sleeper: 'sleeper',
} as const;

export const residents: readonly string[] = [
  ...agents.ordinary,
  agents.commanded,
  agents.calm,
  agents.bulk,
  agents.sleeper,
];

interface Removal {
  readonly beganAtMs: number;
  /** When somebody was told that it is done. */
  answeredAtMs?: number;
}

/** Agents that come and go while messages are on their way to them. */
export class World {
  /**
   * Those that messages may be sent to now; a removal takes them out when it has begun, or a moment
   * later.
   */
  readonly visitors = new Set<string>();
  readonly removals = new Map<string, Removal>();

  get removed(): ReadonlySet<string> {
    return new Set(this.removals.keys());
  }

  beginRemoval(name: string, nowMs: number): void {
    if (!this.removals.has(name)) this.removals.set(name, { beganAtMs: nowMs });
  }

  endRemoval(name: string, nowMs: number): void {
    const removal = this.removals.get(name);
    if (removal) removal.answeredAtMs ??= nowMs;
    this.visitors.delete(name);
  }
}
