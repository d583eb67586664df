import { join } from 'node:path';
import type {
  Backend,
  BackendEvents,
  BackendState,
  NativeStatus,
} from '../../src/terminals/backend.ts';
import type { Terminal, WantedTerminal } from '../../src/terminals/terminal.ts';
import { waitUntil } from './wait-until.ts';

/** What a backend told while a test ran. */
interface Heard {
  readonly bytes: Map<string, number>;
  readonly states: BackendState[];
  readonly troubles: [agent: string, trouble: string | undefined][];
  /** Agents whose output was hinted at. */
  readonly hints: string[];
  readonly natives: [agent: string, native: NativeStatus | undefined][];
  changes: number;
}

/**
 * What a test does with terminals wherever they live; each backend has its own server behind it.
 */
export abstract class BackendWorld {
  abstract readonly folder: string;
  abstract readonly backend: Backend;
  readonly heard: Heard = {
    bytes: new Map(),
    states: [],
    troubles: [],
    natives: [],
    hints: [],
    changes: 0,
  };
  #count = 0;

  wanted(argv: readonly string[], more: Partial<WantedTerminal> = {}): WantedTerminal {
    const agent = `agt_${++this.#count}`;
    return {
      agent,
      epoch: 1,
      name: `agent-${this.#count}`,
      called: `agent-${this.#count}`,
      argv,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.folder },
      cwd: this.folder,
      umask: 0o022,
      columns: 100,
      rows: 30,
      logPath: join(this.folder, 'logs', `${agent}.log`),
      helpers: [],
      ...more,
    };
  }

  launch(argv: readonly string[], more: Partial<WantedTerminal> = {}): Promise<Terminal> {
    return this.backend.launch(this.wanted(argv, more));
  }

  /** Launches and waits until its screen shows a text. */
  async launchUntil(text: string, argv: readonly string[], more: Partial<WantedTerminal> = {}) {
    const terminal = await this.launch(argv, more);
    await this.untilScreen(terminal, text);
    return terminal;
  }

  untilScreen(
    terminal: Terminal,
    text: string,
    backend = this.backend,
  ): Promise<readonly string[]> {
    return waitUntil(`"${text}" on the screen`, async () => {
      const look = await backend.look(terminal);
      return look !== 'gone' && look.lines.join('\n').includes(text) ? look.lines : undefined;
    });
  }

  sight(terminal: Terminal, backend = this.backend) {
    return backend
      .list()
      .then((all) => all.find(({ terminal: { pane } }) => pane === terminal.pane));
  }

  protected events(onState: (state: BackendState) => void = () => undefined): BackendEvents {
    const { heard } = this;
    return {
      output: (agent, bytes) => {
        heard.hints.push(agent);
        heard.bytes.set(agent, (heard.bytes.get(agent) ?? 0) + bytes);
      },
      changed: () => heard.changes++,
      native: (agent, native) => heard.natives.push([agent, native]),
      connection: (state) => {
        heard.states.push(state);
        onState(state);
      },
      logTrouble: (agent, trouble) => heard.troubles.push([agent, trouble]),
    };
  }
}
