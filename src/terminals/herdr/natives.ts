import type { AgentStatus } from '../../agents/agent.ts';
import type { Clock } from '../../shared/clock.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { BackendEvents, NativeStatus } from '../backend.ts';
import type { Terminal } from '../terminal.ts';
import type { Link } from './link.ts';
import type { Note } from './notes.ts';
import { getPane } from './screen.ts';
import type { HostedAgent, PaneRecord, Snapshot } from './wire.ts';
import { type Act, newWord, type Shown, settle, step, type Word } from './word.ts';

/**
 * Every second look, one agent at rest is looked at as well: of some CLIs nothing else would tell
 * that a person has typed.
 */
const restEvery = 2;
/** How long a daemon that is ending waits for its words to be taken back. */
const farewellMs = 2000;
/**
 * A look may have been asked for before herdr was told something: what it shows then may be our own
 * last word.
 */
const looksAfterAct = 2;

/**
 * What herdr thinks of our agents, and what we tell it of them, so that whoever looks at herdr sees
 * what `signalbox status` shows. Where herdr takes our word it only repeats us, and is no witness;
 * where it does not listen, ours is taken back and herdr's own idea is heard (`word.ts` has the
 * table). It owns what was last heard and last said, which holds for as long as the terminal does,
 * whatever becomes of connections; and touches only herdr's own view of an agent. It dies with the
 * backend, which takes its words back; the next one hears and says it all again.
 */
export class Natives {
  readonly #link: Link;
  readonly #events: Pick<BackendEvents, 'output' | 'native'>;
  readonly #clock: Clock;
  readonly #heard = new Map<string, { readonly mark: string; readonly native: string }>();
  readonly #words = new Map<string, Word>();
  /** Terminals about which herdr is being told something: one thing at a time, in order. */
  readonly #busy = new Map<string, Promise<void>>();
  /** The look before which each was last told something. */
  readonly #toldAt = new Map<string, number>();
  #isClosing = false;
  #looks = 0;
  #turn = 0;
  /** Higher than any that an earlier one of us has used: herdr drops what is not. */
  #sequence: number;

  constructor(
    link: Link,
    events: Pick<BackendEvents, 'output' | 'native'>,
    clock: Clock,
    firstSequence: number,
  ) {
    this.#sequence = firstSequence;
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
    for (const known of [this.#heard, this.#words, this.#toldAt]) {
      for (const terminal of known.keys()) if (!kept.has(terminal)) known.delete(terminal);
    }
  }

  /**
   * What cannot be told now is told after the next look: herdr would go on showing what is long
   * over.
   */
  report({ agent, pane }: Terminal, status: AgentStatus, record: PaneRecord | undefined): void {
    this.#words.set(pane, { ...(this.#words.get(pane) ?? newWord(status)), status });
    if (record) this.#speak(agent, record, false);
  }

  /** Nobody will correct them any more. What cannot be taken back within a moment stays. */
  async takeAllBack(): Promise<void> {
    this.#isClosing = true;
    const deadline = new AbortController();
    const all = [...this.#words.keys()].map((terminal) => this.#takeBack(terminal));
    await Promise.race([
      Promise.allSettled(all),
      this.#clock.sleep(farewellMs, deadline.signal).catch(() => undefined), // Called off below.
    ]);
    deadline.abort();
  }

  async #takeBack(terminal: string): Promise<void> {
    await this.#busy.get(terminal);
    const record = this.#link.latest.panes.get(terminal);
    const word = this.#words.get(terminal);
    if (record && word?.standing !== undefined) await this.#perform('', record, 'take-back');
  }

  #hear(agent: string, record: PaneRecord): void {
    const { terminal, mark } = record;
    this.#speak(agent, record, true);
    const word = this.#isFresh(terminal) ? this.#words.get(terminal) : undefined;
    const native = readNative(record.agent, word);
    const before = this.#heard.get(terminal);
    const key = native ? JSON.stringify(native) : '';
    this.#heard.set(terminal, { mark, native: key });
    if ((before?.native ?? '') !== key) this.#events.native(agent, native);
    if (before?.mark !== mark || this.#isRestless(terminal)) this.#events.output(agent, 0);
  }

  /** Whether what this look shows is from after everything that was told. */
  #isFresh(terminal: string): boolean {
    const toldAt = this.#toldAt.get(terminal) ?? Number.NEGATIVE_INFINITY;
    return !this.#busy.has(terminal) && this.#looks - toldAt >= looksAfterAct;
  }

  /**
   * `isLook`: herdr was asked just now. What it showed earlier contradicts nothing that was said
   * since.
   */
  #speak(agent: string, record: PaneRecord, isLook: boolean): void {
    const { terminal } = record;
    const word = this.#words.get(terminal);
    if (!word || this.#busy.has(terminal) || !this.#maySpeak()) return;
    const shown = readShown(record, isLook ? undefined : word.standing);
    const { word: next, act } = step(word, shown, this.#clock.monotonicMs());
    this.#words.set(terminal, next);
    if (act === undefined) return;
    const work = this.#perform(agent, record, act).then((isDone) => {
      this.#busy.delete(terminal);
      const now = this.#words.get(terminal);
      if (!now) return;
      this.#toldAt.set(terminal, this.#looks);
      this.#words.set(terminal, settle(now, act, isDone));
      // Something else may be true by now.
      if (isDone && act !== 'take-back') this.#speak(agent, record, false);
    });
    this.#busy.set(
      terminal,
      work.catch((error) => reportBug("telling herdr an agent's status", error)),
    );
  }

  /**
   * Before 0.7.0 an address may have become another's since it was asked for, and what is told
   * would be told of that one.
   */
  #maySpeak(): boolean {
    return !this.#isClosing && this.#link.state.state === 'ready' && !this.#link.server().isOld;
  }

  /** Whether herdr has heard it. */
  async #perform(agent: string, record: PaneRecord, act: NonNullable<Act>): Promise<boolean> {
    const { pane, terminal, agent: hosted } = record;
    // Numbered as we said it, not as it gets through: of two on their way the later word counts.
    const params = { pane_id: pane, source: 'signalbox', seq: ++this.#sequence };
    try {
      // Right before: an address may have become another's.
      if ((await getPane({ link: this.#link }, pane)).terminal !== terminal) return false;
      if (act === 'take-back') await this.#link.ask('pane.clear_agent_authority', params);
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

  /**
   * herdr does not tell what is printed: one that works, asks or starts is looked at again and
   * again.
   */
  #isRestless(terminal: string): boolean {
    const word = this.#words.get(terminal);
    return word !== undefined && ['starting', 'processing', 'waiting'].includes(word.status);
  }

  #lookAtOne(ours: readonly Note[]): void {
    if (this.#looks % restEvery !== 0 || ours.length === 0) return;
    const one = ours[this.#turn++ % ours.length];
    if (one && !this.#isRestless(one.terminal ?? '')) this.#events.output(one.agent, 0);
  }
}

function readShown({ agent, session }: PaneRecord, standing: Word['standing']): Shown {
  const told = standing === 'perhaps' ? undefined : standing;
  return {
    label: agent?.label || undefined,
    status: told ?? agent?.status ?? 'unknown',
    isOwnWord: agent?.isOwnWord ?? false,
    session,
  };
}

/** Only where nothing of ours stands or is heard: otherwise herdr repeats what it was told. */
function readNative(
  agent: HostedAgent | undefined,
  word: Word | undefined,
): NativeStatus | undefined {
  if (!agent || agent.status === 'unknown') return undefined;
  const isItsOwn = word?.isMute === true && word.standing === undefined;
  if (!agent.isOwnWord && !isItsOwn) return undefined;
  return { status: agent.status, isOwnWord: agent.isOwnWord };
}
