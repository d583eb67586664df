import type { AgentStatus } from '../../agents/agent.ts';
import type { Clock } from '../../shared/clock.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { BackendEvents, NativeStatus, Terminal } from '../backend.ts';
import type { Link } from './link.ts';
import type { Note } from './notes.ts';
import { getPane } from './screen.ts';
import type { HostedAgent, PaneRecord, Snapshot } from './wire.ts';
import { type Act, newWord, type Shown, step, type Word } from './word.ts';

/** Every second look, one agent at rest is looked at as well: of some CLIs nothing else would tell that a person has typed. */
const restEvery = 2;
/** A daemon that ends waits so long for herdr to forget what it was told. */
const farewellMs = 2000;

/**
 * What herdr thinks of our agents, and what we tell it of them, so that whoever looks at herdr sees what `signalbox status` shows.
 * Where herdr takes our word it only repeats us, and is no witness; where it does not listen, ours is taken back and herdr's own
 * idea is heard (`word.ts` has the table). It owns what was last heard and last said, which holds for as long as the terminal
 * does, whatever becomes of connections; and touches only herdr's own view of an agent. It dies with the backend, which takes its
 * words back; the next one hears and says it all again.
 */
export class Natives {
  readonly #link: Link;
  readonly #events: Pick<BackendEvents, 'output' | 'native'>;
  readonly #clock: Clock;
  readonly #heard = new Map<string, { readonly mark: string; readonly native: string }>();
  readonly #words = new Map<string, Word>();
  /** Terminals about which herdr is being told something: one thing at a time, in order. */
  readonly #busy = new Set<string>();
  #looks = 0;
  #turn = 0;
  /** Higher than any that an earlier one of us has used: herdr drops what is not. */
  #sequence: number;

  constructor(link: Link, events: Pick<BackendEvents, 'output' | 'native'>, clock: Clock) {
    this.#sequence = clock.now() * 1000;
    this.#link = link;
    this.#events = events;
    this.#clock = clock;
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
  report({ agent, pane }: Terminal, status: AgentStatus, record: PaneRecord | undefined): void {
    this.#words.set(pane, { ...(this.#words.get(pane) ?? newWord(status)), status });
    if (record) this.#speak(agent, record, false);
  }

  /** Nobody will correct them any more. What cannot be taken back within a moment stays. */
  async withdrawAll(): Promise<void> {
    const { latest } = this.#link;
    const deadline = new AbortController();
    const all = [...this.#words].map(async ([terminal, { told }]) => {
      const record = latest.panes.get(terminal);
      if (record && told !== undefined) await this.#perform('', record, 'withdraw');
    });
    const settled = Promise.allSettled(all);
    await Promise.race([
      settled,
      this.#clock.sleep(farewellMs, deadline.signal).catch(() => undefined), // Called off below.
    ]);
    deadline.abort();
  }

  #hear(agent: string, record: PaneRecord): void {
    const { terminal, mark } = record;
    this.#speak(agent, record, true);
    // While something is being told, it may show one thing or the other.
    const isSettled = !this.#busy.has(terminal);
    const native = readNative(record.agent, isSettled ? this.#words.get(terminal) : undefined);
    const before = this.#heard.get(terminal);
    const key = native ? JSON.stringify(native) : '';
    this.#heard.set(terminal, { mark, native: key });
    if ((before?.native ?? '') !== key) this.#events.native(agent, native);
    if (before?.mark !== mark || this.#isRestless(terminal)) this.#events.output(agent, 0);
  }

  /** `isLook`: herdr was asked just now. What it showed earlier contradicts nothing that was said since. */
  #speak(agent: string, record: PaneRecord, isLook: boolean): void {
    const { terminal } = record;
    const word = this.#words.get(terminal);
    if (!word || this.#busy.has(terminal)) return;
    const shown = readShown(record, isLook ? undefined : word.told);
    const { word: next, act } = step(word, shown, this.#clock.monotonicMs());
    this.#words.set(terminal, next);
    if (act === undefined) return;
    this.#busy.add(terminal);
    void this.#perform(agent, record, act)
      .then((isDone) => {
        this.#busy.delete(terminal);
        const now = this.#words.get(terminal);
        if (!now) return;
        if (!isDone || act === 'withdraw') {
          // What could not be taken back still stands: it is tried again with the next look.
          const { told, missed, clearedFor } = word;
          if (!isDone) this.#words.set(terminal, { ...now, told, missed, clearedFor });
          return;
        }
        this.#words.set(terminal, { ...now, told: act.tell });
        // Something else may be true by now.
        this.#speak(agent, record, false);
      })
      .catch((error) => reportBug("telling herdr an agent's status", error));
  }

  /** Whether herdr has heard it. */
  async #perform(agent: string, record: PaneRecord, act: NonNullable<Act>): Promise<boolean> {
    const { pane, terminal, agent: hosted } = record;
    // Numbered as we said it, not as it gets through: of two on their way the later word counts.
    const params = { pane_id: pane, source: 'signalbox', seq: ++this.#sequence };
    try {
      // Right before: an address may have become another's.
      if ((await getPane({ link: this.#link }, pane)).terminal !== terminal) return false;
      if (act === 'withdraw') await this.#link.ask('pane.clear_agent_authority', params);
      // Another name than the one it has found would be dropped.
      else
        await this.#link.ask('pane.report_agent', {
          ...params,
          agent: hosted?.label || agent,
          state: act.tell,
        });
      return true;
    } catch (error) {
      reportBug("telling herdr an agent's status", error);
      return false;
    }
  }

  /** herdr does not tell what is printed: one that works, asks or starts is looked at again and again. */
  #isRestless(terminal: string): boolean {
    const word = this.#words.get(terminal);
    return word !== undefined && ['starting', 'processing', 'waiting'].includes(word.status);
  }

  #lookAtOne(ours: readonly Note[]): void {
    if (this.#looks % restEvery !== 0 || ours.length === 0) return;
    const one = ours[this.#turn++ % ours.length];
    if (one && !this.#isRestless(one.terminal ?? '')) this.#events.output(one.agent, 0);
  }

  #forget(terminal: string): void {
    this.#heard.delete(terminal);
    this.#words.delete(terminal);
  }
}

function readShown({ agent, session }: PaneRecord, told: Word['told']): Shown {
  return {
    label: agent?.label || undefined,
    status: told ?? agent?.status ?? 'unknown',
    isOwnWord: agent?.isOwnWord ?? false,
    session,
  };
}

/** Only where nothing of ours is heard: otherwise herdr repeats what it was told. */
function readNative(
  agent: HostedAgent | undefined,
  word: Word | undefined,
): NativeStatus | undefined {
  if (!agent || agent.status === 'unknown') return undefined;
  if (!agent.isOwnWord && !word?.isMute) return undefined;
  return { status: agent.status, isOwnWord: agent.isOwnWord };
}
