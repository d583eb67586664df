import { spawn } from 'node:child_process';
import { readStartTime } from '../../src/shared/processes.ts';
import type { Backend, Look } from '../../src/terminals/backend.ts';
import type { Terminal, TerminalSight, WantedTerminal } from '../../src/terminals/terminal.ts';

/**
 * Terminals without a screen: real processes, so that what must end can be seen to end, and moments
 * a test can hold open.
 */
export class FakeBackend implements Backend {
  readonly name: string;
  /** A test may change them, as the version behind a backend may. */
  capabilities: Backend['capabilities'] = {
    cursor: true,
    humanTyping: false,
    exitCodes: true,
    styles: false,
    rawOutput: false,
    typing: 'no',
    enterInOne: false,
    size: false,
    scrollback: 0,
  };
  readonly sights = new Map<string, TerminalSight>();
  readonly closed: string[] = [];
  isDown = false;
  starts = 0;
  /** Awaited inside the verb of that name. */
  readonly gates: {
    start?: () => Promise<void>;
    list?: () => Promise<void>;
    launch?: () => Promise<void>;
    read?: () => Promise<void>;
  } = {};
  #panes = 0;

  constructor(name = 'fake') {
    this.name = name;
  }

  async start(): Promise<void> {
    this.starts++;
    await this.gates.start?.();
    if (this.isDown) throw new Error(`${this.name} cannot be started`);
  }

  state() {
    return { state: this.isDown ? ('down' as const) : ('ready' as const) };
  }

  async launch({ agent, epoch, argv, env, cwd }: WantedTerminal): Promise<Terminal> {
    const [program = '', ...args] = argv;
    const child = spawn(program, args, { env, cwd, stdio: 'ignore', detached: true });
    child.on('error', () => undefined);
    const pid = child.pid ?? 0;
    const startedAt = readStartTime(pid) ?? '';
    const terminal = { agent, epoch, server: 's', pane: `%${++this.#panes}`, pid, startedAt };
    await this.gates.launch?.();
    this.sights.set(terminal.pane, { terminal, isAlive: true, isHomeless: false, title: '' });
    return terminal;
  }

  async startHelper() {
    return 'started' as const;
  }

  async list(): Promise<readonly TerminalSight[]> {
    if (this.isDown) throw new Error('down');
    const seen = [...this.sights.values()].map((sight) => {
      const { pid, startedAt } = sight.terminal;
      return { ...sight, isAlive: sight.isAlive && readStartTime(pid) === startedAt };
    });
    await this.gates.list?.();
    return seen;
  }

  async look(terminal: Terminal): Promise<Look | 'gone'> {
    const sight = this.sights.get(terminal.pane);
    if (!sight) return 'gone';
    const still = { title: '', cursor: { x: 0, y: 0 }, columns: 80, rows: 24 };
    return { ...still, lines: ['idle'], isAlive: sight.isAlive };
  }

  async readText() {
    await this.gates.read?.();
    return { text: 'last words', isPartial: false };
  }

  async write() {
    return 'written' as const;
  }

  follow() {
    return () => undefined;
  }

  async rehome() {
    return 'rehomed' as const;
  }

  async closeTerminal(terminal: Terminal): Promise<void> {
    this.closed.push(`${terminal.agent}/${terminal.epoch}`);
    this.sights.delete(terminal.pane);
  }

  attachCommand() {
    return { argv: ['true'], kind: 'tmux', ids: { target: '$1:@1.%1' } } as const;
  }

  async close(): Promise<void> {}

  /** The program of that agent ended by itself. */
  die(agent: string, exitCode: number): void {
    for (const [pane, sight] of this.sights) {
      if (sight.terminal.agent !== agent) continue;
      process.kill(sight.terminal.pid, 'SIGKILL');
      this.sights.set(pane, { ...sight, isAlive: false, exitCode });
    }
  }
}
