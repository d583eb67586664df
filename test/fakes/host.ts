import type { Host, ProcessIdentity } from '../../src/shared/processes.ts';

/** Processes that a test can kill, reboot under, or hide in another pid namespace. */
export class FakeHosts {
  boot = 'boot-1';
  readonly #dead = new Set<number>();
  #lastPid = 100;

  /** A process of its own. */
  start(options: { pidSpace?: string } = {}): Host & { readonly pid: number } {
    const pid = ++this.#lastPid;
    const boot = this.boot;
    const pidSpace = options.pidSpace ?? 'pid:[1]';
    const identity = { host: 'here', boot, pidSpace, pid, startedAt: `t${pid}` };
    return { pid, identity, judge: (other) => this.#judge(other, pidSpace) };
  }

  kill(pid: number): void {
    this.#dead.add(pid);
  }

  reboot(): void {
    this.boot = 'boot-2';
  }

  #judge(other: ProcessIdentity, pidSpace: string): 'alive' | 'dead' | 'unknown' {
    if (other.boot !== this.boot) return 'dead';
    if (other.pidSpace !== pidSpace) return 'unknown';
    return this.#dead.has(other.pid) ? 'dead' : 'alive';
  }
}
