import type { AgentStatus } from '../../agents/agent.ts';
import type { BackendEvents, NativeStatus, Terminal } from '../backend.ts';
import type { Link } from './link.ts';
import type { Note } from './notes.ts';
import { getPane } from './screen.ts';
import type { HostedAgent, PaneRecord, Snapshot } from './wire.ts';

/** Every second look, one agent at rest is looked at as well: of some CLIs nothing else would tell that a person has typed. */
const restEvery = 2;

/**
 * What herdr thinks of our agents, and what we tell it of them. It owns what was last heard and last said; it touches only
 * herdr's own view of an agent. It dies with the backend, and nothing is lost: the next one hears and says it all again.
 */
export class Natives {
  readonly #link: Link;
  readonly #events: Pick<BackendEvents, 'output' | 'native'>;
  readonly #heard = new Map<string, { readonly mark: string; readonly native: string }>();
  readonly #said = new Map<string, { readonly status: AgentStatus; state: State }>();
  #looks = 0;
  #turn = 0;
  #sequence = Date.now() * 1000;

  constructor(link: Link, events: Pick<BackendEvents, 'output' | 'native'>) {
    this.#link = link;
    this.#events = events;
  }

  /** After each look at everything. */
  take({ panes }: Snapshot, notes: readonly Note[]): void {
    const ours = notes.filter(({ helper, terminal }) => helper === '' && terminal !== undefined);
    this.#looks++;
    for (const { agent, terminal = '' } of ours) {
      const record = panes.get(terminal);
      if (record) this.#hear(agent, record);
    }
    this.#lookAtOne(ours.filter(({ terminal = '' }) => panes.has(terminal)));
    const kept = new Set(ours.map(({ terminal = '' }) => terminal));
    for (const terminal of this.#heard.keys()) if (!kept.has(terminal)) this.#forget(terminal);
  }

  /** Told again after a reconnection: herdr forgets it with its server. */
  clear(): void {
    this.#heard.clear();
    for (const said of this.#said.values()) said.state = 'untold';
  }

  /** herdr has the word of the CLI itself: ours would only stand in its way. */
  async report(terminal: Terminal, status: AgentStatus, record: PaneRecord): Promise<void> {
    const state = states[status];
    const { pane, agent } = record;
    this.#said.set(terminal.pane, { status, state: agent?.isOwnWord ? 'untold' : state });
    if (agent?.isOwnWord || state === 'untold') return;
    // Right before: an address may have become another's.
    if ((await getPane({ link: this.#link }, pane)).terminal !== terminal.pane) return;
    await this.#link.ask('pane.report_agent', {
      pane_id: pane,
      source: 'signalbox',
      // Another name than the one it has found would be dropped.
      agent: agent?.label || terminal.agent,
      state,
      seq: ++this.#sequence,
    });
  }

  #hear(agent: string, record: PaneRecord): void {
    const { terminal, mark } = record;
    const native = this.#readNative(record.agent, this.#said.get(terminal)?.state);
    const before = this.#heard.get(terminal);
    this.#heard.set(terminal, { mark, native: JSON.stringify(native) ?? '' });
    if (before?.native !== (JSON.stringify(native) ?? '') && (before || native)) {
      this.#events.native(agent, native);
    }
    if (before?.mark !== mark || this.#isRestless(terminal)) this.#events.output(agent, 0);
  }

  /** What only repeats our own report is no witness. */
  #readNative(agent: HostedAgent | undefined, said: State | undefined): NativeStatus | undefined {
    if (!agent || agent.status === 'unknown') return undefined;
    if (!agent.isOwnWord && agent.status === said) return undefined;
    return { status: agent.status, isOwnWord: agent.isOwnWord };
  }

  /** herdr does not tell what is printed: one that works, asks or starts is looked at again and again. */
  #isRestless(terminal: string): boolean {
    const said = this.#said.get(terminal);
    return said !== undefined && !['idle', 'completed', 'error', 'exited'].includes(said.status);
  }

  #lookAtOne(ours: readonly Note[]): void {
    if (this.#looks % restEvery !== 0 || ours.length === 0) return;
    const one = ours[this.#turn++ % ours.length];
    if (one && !this.#isRestless(one.terminal ?? '')) this.#events.output(one.agent, 0);
  }

  #forget(terminal: string): void {
    this.#heard.delete(terminal);
    this.#said.delete(terminal);
  }
}

type State = 'idle' | 'working' | 'blocked' | 'unknown' | 'untold';

const states: Readonly<Record<AgentStatus, State>> = {
  idle: 'idle',
  completed: 'idle',
  error: 'idle',
  processing: 'working',
  waiting: 'blocked',
  starting: 'unknown',
  unknown: 'unknown',
  exited: 'untold',
};
