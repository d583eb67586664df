import type { AgentStatus } from '../../agents/agent.ts';
import type { Clock } from '../../shared/clock.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { BackendEvents, NativeStatus, Terminal } from '../backend.ts';
import type { Link } from './link.ts';
import type { Note } from './notes.ts';
import { HerdrError } from './request.ts';
import { getPane } from './screen.ts';
import type { HostedAgent, PaneRecord, Snapshot } from './wire.ts';

/** Every second look, one agent at rest is looked at as well: of some CLIs nothing else would tell that a person has typed. */
const restEvery = 2;
/** One look may have been asked for before our word had arrived. */
const disagreements = 2;

/**
 * What herdr thinks of our agents, and what we tell it of them. Where herdr takes our word for an agent's state it only repeats
 * us, and is no witness; where it goes on saying something else (0.8.0 drops a report when another owner, as the user's own
 * integration, has named the session), ours is taken back and herdr's own idea is heard. It owns what was last heard and last
 * said, which holds for as long as the terminal does, whatever becomes of connections; and touches only herdr's own view of an
 * agent. It dies with the backend: the next one hears and says it all again.
 */
export class Natives {
  readonly #link: Link;
  readonly #events: Pick<BackendEvents, 'output' | 'native'>;
  readonly #heard = new Map<string, { readonly mark: string; readonly native: string }>();
  readonly #said = new Map<string, Said>();
  #looks = 0;
  #turn = 0;
  /** Higher than any that an earlier one of us has used: herdr drops what is not. */
  #sequence: number;

  constructor(link: Link, events: Pick<BackendEvents, 'output' | 'native'>, clock: Clock) {
    this.#sequence = clock.now() * 1000;
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

  /** What cannot be told now is told after the next look: herdr would go on showing what is long over. */
  report(terminal: Terminal, status: AgentStatus, record: PaneRecord | undefined): void {
    const { isTheirs = false } = this.#said.get(terminal.pane) ?? {};
    const said: Said = { status, missed: 0, isTheirs, isTold: false };
    this.#said.set(terminal.pane, said);
    if (record) void this.#say(terminal, said, record);
  }

  async #say(terminal: Place, said: Said, record: PaneRecord): Promise<void> {
    const state = states[said.status];
    // Where herdr has the CLI's own word, or trusts its own eyes, ours would only stand in the way.
    if (!state || said.isTold || record.agent?.isOwnWord || said.isTheirs) return;
    said.isTold = true;
    try {
      await this.#tell('pane.report_agent', terminal, record, { state });
      said.state = state;
    } catch (error) {
      reportBug("telling herdr an agent's status", error);
      said.isTold = error instanceof HerdrError && error.kind === 'refused';
    }
  }

  async #tell(
    method: string,
    terminal: Place,
    { pane, agent }: PaneRecord,
    more: object,
  ): Promise<void> {
    // Numbered as we said it, not as it gets through: of two on their way the later word counts.
    const seq = ++this.#sequence;
    // Right before: an address may have become another's.
    if ((await getPane({ link: this.#link }, pane)).terminal !== terminal.pane) return;
    // Another name than the one it has found would be dropped.
    const label = agent?.label || terminal.agent;
    await this.#link.ask(method, {
      pane_id: pane,
      source: 'signalbox',
      agent: label,
      seq,
      ...more,
    });
  }

  #hear(agent: string, record: PaneRecord): void {
    const { terminal, mark } = record;
    this.#compare(agent, record);
    const said = this.#said.get(terminal);
    if (said) void this.#say({ agent, pane: terminal }, said, record);
    const native = this.#readNative(record.agent, said);
    const before = this.#heard.get(terminal);
    const key = native ? JSON.stringify(native) : '';
    this.#heard.set(terminal, { mark, native: key });
    if ((before?.native ?? '') !== key) this.#events.native(agent, native);
    if (before?.mark !== mark || this.#isRestless(terminal)) this.#events.output(agent, 0);
  }

  /** It goes on contradicting what we have told it: then it does not listen, and what it says is its own. */
  #compare(agent: string, record: PaneRecord): void {
    const said = this.#said.get(record.terminal);
    const status = record.agent?.status ?? 'unknown';
    if (!said?.state || said.isTheirs || status === 'unknown') return;
    said.missed = status === said.state ? 0 : said.missed + 1;
    if (said.missed < disagreements) return;
    said.isTheirs = true;
    const terminal = { agent, pane: record.terminal };
    void this.#tell('pane.clear_agent_authority', terminal, record, {}).catch((error) =>
      reportBug("taking back an agent's status from herdr", error),
    );
  }

  #readNative(agent: HostedAgent | undefined, said: Said | undefined): NativeStatus | undefined {
    if (!agent || agent.status === 'unknown') return undefined;
    if (!agent.isOwnWord && !said?.isTheirs) return undefined;
    return { status: agent.status, isOwnWord: agent.isOwnWord };
  }

  /** herdr does not tell what is printed: one that works, asks or starts is looked at again and again. */
  #isRestless(terminal: string): boolean {
    const said = this.#said.get(terminal);
    return said !== undefined && ['starting', 'processing', 'waiting'].includes(said.status);
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

interface Said {
  status: AgentStatus;
  /** What herdr has confirmed to have heard, which does not mean that it believes it. */
  state?: State;
  /** How often it has said something else since. */
  missed: number;
  /** Its own eyes count for it. */
  isTheirs: boolean;
  /** It was told, or is being told. */
  isTold: boolean;
}

type Place = Pick<Terminal, 'agent' | 'pane'>;

type State = 'idle' | 'working' | 'blocked' | 'unknown';

const states: Readonly<Partial<Record<AgentStatus, State>>> = {
  idle: 'idle',
  completed: 'idle',
  error: 'idle',
  processing: 'working',
  waiting: 'blocked',
  starting: 'unknown',
  unknown: 'unknown',
};
