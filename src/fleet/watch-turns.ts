import { isAtRest } from '../agents/remember-turn.ts';
import type { StatusView } from '../agents/status.ts';
import { nothingOnRecord, type OnRecord } from '../delivery/on-record.ts';
import type { TurnOutcome } from '../messages/message.ts';
import type { TurnNews } from '../providers/way-in.ts';
import { isLater, pause } from '../shared/clock.ts';
import { awaitSilence } from './await-silence.ts';
import { wasBrokenOff } from './broken-off.ts';
import { dropToldWords, endTurn, nameTurn, noteTurn, type TurnStop } from './end-turn.ts';
import type { Life } from './life.ts';
import { type Heard, listHeard } from './list-heard.ts';
import type { FleetParts } from './parts.ts';
import { lateRecordsMs, readUntilTold } from './read-until-told.ts';
import { partsMs, splitTurn } from './split-turn.ts';
import { TurnEcho } from './turn-echo.ts';
import { TurnEndQueue } from './turn-end-queue.ts';
import { askRecords, type TurnRecords } from './turn-records.ts';
import { DialogWatch } from './watch-dialogs.ts';

/**
 * An authority that was silent for longer than this after its stand-in has spoken tells of another
 * turn.
 */
const lateMs = 10_000;
const wordsMs = 1500;
/**
 * A rest that was shorter is none that somebody could have used: before a paste two looks that are
 * 300 ms apart must be equal. On a busy machine the word of Claude Code itself (2.1.325) is behind
 * its hook and its screen: work, rest and work again within 30 to 120 ms, in 3 of 50 first turns.
 */
const breakMs = 250;
/** A turn that has not shown itself by then was too short to be seen. */
const promptMs = 1500;

interface StoodIn {
  /** Wall time, for what has one; and our own clock. */
  readonly at: number;
  readonly atMs: number;
  /** It was told under the authority's own name for it. */
  isNamed: boolean;
  /** Otherwise the name that it was told under. */
  name?: TurnStop['corrects'];
}

type Ended = Omit<TurnNews, 'outcome'> &
  Pick<TurnStop, 'isStandIn' | 'onRecord' | 'corrects'> &
  Heard;

/**
 * Turns of one life into completions. The provider's authority for turn ends is believed; where it
 * stays silent (an interruption that fires no hook, hooks that a person switched off) the status
 * stands in. It owns its two timers, the queue in which turn ends reach the ledger and the watch on
 * dialogs, and dies with the life's watch.
 */
export class TurnWatch {
  readonly #parts: FleetParts;
  readonly #life: Life;
  readonly #records: TurnRecords;
  readonly #queue: TurnEndQueue;
  readonly #dialogs: DialogWatch;
  #isInTurn = false;
  /** Wall time: when the turn that is under way was seen last. */
  #seenAt = 0;
  /** The status has reported the end that the authority may still report. */
  #stoodIn: StoodIn | undefined;
  #stoodInMs = Number.NEGATIVE_INFINITY;
  /**
   * Wall time: when it was last seen at rest, before the authority has spoken of that; and then at
   * work again.
   */
  #restedAt: number | undefined;
  #restedAtMs = 0;
  #brokenAt: number | undefined;
  #hasHeardAuthority = false;
  readonly #echo: TurnEcho;
  #silence: AbortController | undefined;
  #prompt: AbortController | undefined;

  constructor(parts: FleetParts, life: Life, records: TurnRecords) {
    this.#parts = parts;
    this.#life = life;
    this.#records = records;
    this.#queue = new TurnEndQueue(parts, life.epoch.agent);
    this.#dialogs = new DialogWatch(parts, life, this.#queue);
    this.#isInTurn = life.agent.status === 'processing';
    this.#echo = new TurnEcho(this.#isInTurn);
    this.#seenAt = life.agent.since;
  }

  /** The authority's word. Resolves when it is on disk. */
  news(news: TurnNews): Promise<void> {
    this.#hasHeardAuthority = true;
    this.#echo.told(this.#parts.surroundings.clock.monotonicMs());
    this.#silence?.abort();
    this.#isInTurn = false;
    const stoodIn = this.#stoodIn;
    this.#stoodIn = undefined;
    const brokenAt = this.#brokenAt;
    this.#brokenAt = undefined;
    this.#restedAt = undefined;
    const heardAt = this.#parts.surroundings.clock.now();
    const listed = listHeard(this.#parts, this.#life.epoch);
    return this.#queue.enqueue(async () => {
      const heard = await listed;
      const read = this.#openRecords(heard.among);
      const whole = await read(news.outcome);
      if (brokenAt !== undefined && !news.held) await this.#endBroken(brokenAt, whole);
      const parts = await this.#split(news, heardAt);
      for (const each of parts) {
        const part = { ...each, ...heard, onRecord: await read(each.outcome) };
        const isStoodIn = stoodIn && each === parts.at(-1) && this.#isOf(stoodIn, part);
        const corrects = stoodIn?.name ? { corrects: stoodIn.name } : {};
        await (isStoodIn ? this.#correct({ ...part, ...corrects }) : this.#end(part, part.outcome));
      }
    });
  }

  /**
   * Whether the authority speaks of the turn that its stand-in has reported. Under one name the
   * ledger knows by itself.
   */
  #isOf({ at, atMs, isNamed }: StoodIn, { endedAt }: TurnNews): boolean {
    if (isNamed || (endedAt !== undefined && endedAt > at)) return false;
    return this.#parts.surroundings.clock.monotonicMs() - atMs < lateMs;
  }

  /**
   * The stand-in has reported this end already, and could not know that the turn ended well: a debt
   * would stay open for that. It is remembered, so that no later daemon is told of it as news.
   */
  async #correct(news: TurnNews & Ended): Promise<void> {
    const { agent: child, epoch } = this.#life.epoch;
    const { ledger, surroundings, delivery } = this.#parts;
    const debts = await ledger.read((tx) => tx.debts.listOwedBy(child));
    if (news.outcome === 'completed' && debts.length > 0) {
      await this.#end(news, news.outcome);
      return;
    }
    await noteTurn(ledger, surroundings.clock, { child, epoch, ...news });
    await delivery.turnEnded(child, news.outcome);
  }

  /**
   * A hook has told the beginning of a turn, or a message of ours went in. No new status follows if
   * it was at work before.
   */
  began(): void {
    this.#echo.began();
  }

  status(view: StatusView): void {
    this.#dialogs.status(view);
    const { clock } = this.#parts.surroundings;
    const now = clock.monotonicMs();
    this.#echo.seen(view, now, this.#isInTurn);
    if (view.status === 'processing') {
      this.#seenAt = clock.now();
      this.#isInTurn = true;
      if (now - this.#restedAtMs >= breakMs) this.#brokenAt = this.#restedAt ?? this.#brokenAt;
      this.#restedAt = undefined;
      this.#stoodIn = undefined;
      this.#silence?.abort();
    } else if (view.status === 'waiting' && view.detail === 'permission') {
      // It asks in the middle of a turn, which a daemon before us may have seen begin.
      this.#echo.began();
      this.#isInTurn = true;
    } else if (isAtRest(view.status) && this.#isInTurn) {
      this.#isInTurn = false;
      if (!this.#echo.isOver(now)) this.#standIn(view);
    }
  }

  /**
   * A prompt of ours was sent. Where the status alone tells of turns, one that is over before the
   * next look at the screen would go unseen, and what it answers with it.
   */
  prompted(view: () => StatusView | undefined, beganMs: number): void {
    // The turn of this very prompt has ended: to verify its paste took longer.
    const hasEnded = this.#stoodInMs >= beganMs;
    if (!this.#isAuthority() || hasEnded) return;
    this.#isInTurn = true;
    this.#prompt?.abort();
    this.#prompt = new AbortController();
    this.#after(promptMs, this.#prompt.signal, () => {
      const now = view();
      if (now && this.#isInTurn && isAtRest(now.status)) this.status(now);
    });
  }

  async close(): Promise<void> {
    this.#prompt?.abort();
    this.#silence?.abort();
    this.#dialogs.close();
    await this.#queue.close();
  }

  #standIn(view: StatusView): void {
    this.#stoodInMs = this.#parts.surroundings.clock.monotonicMs();
    if (this.#isAuthority()) return void this.#queue.enqueue(() => this.#endByStatus(view));
    this.#silence?.abort();
    const silence = new AbortController();
    const { isBehind = () => false } = this.#records;
    const { clock } = this.#parts.surroundings;
    this.#restedAt = clock.now();
    this.#restedAtMs = clock.monotonicMs();
    this.#silence = silence;
    void awaitSilence(clock, isBehind, silence.signal).then((isSilent) => {
      if (!isSilent) return;
      this.#restedAt = undefined;
      const stoodIn = { at: clock.now(), atMs: clock.monotonicMs(), isNamed: false };
      this.#stoodIn = stoodIn;
      void this.#queue.enqueue(() => this.#endByStatus(view, stoodIn));
    });
  }

  async #endByStatus(view: StatusView, stoodIn?: StoodIn): Promise<void> {
    const { agent, epoch } = this.#life.epoch;
    const { ledger } = this.#parts;
    const listed = await listHeard(this.#parts, this.#life.epoch);
    const read = this.#openRecords(listed.among);
    const end = async (part: Ended, outcome: TurnOutcome): Promise<void> =>
      this.#end({ ...part, onRecord: await read(outcome) }, outcome);
    const named = await this.#ask((signal) => this.#records.lastTurn(signal));
    if (named) {
      if (stoodIn) stoodIn.isNamed = true;
      return end({ ...named, ...listed, isStandIn: true }, this.#judge(view));
    }
    // Without a name for it, what was told since it was seen was this one; by a hook while we were
    // away, for example.
    const last = await ledger.read((tx) => tx.turns.findLastStop(agent));
    const now = this.#parts.surroundings.clock.now();
    if (last && isLater(last.at, this.#seenAt, now) && !this.#isAuthority()) return;
    const name = await nameTurn(ledger, agent, epoch);
    if (stoodIn) stoodIn.name = name;
    const parts = await this.#split({ ...name, outcome: 'interrupted' }, now);
    for (const part of parts.slice(0, -1)) await end({ ...part, ...listed }, part.outcome);
    await end({ ...name, ...listed }, this.#judge(view));
  }

  #split(end: TurnNews, heardAt: number): Promise<readonly TurnNews[]> {
    const { parts } = this.#records;
    const read = parts && (() => this.#ask((signal) => parts(end, { heardAt, signal }), partsMs));
    return splitTurn(this.#parts.ledger, this.#life.epoch.agent, end, read);
  }

  /** Its words are unknown: the last ones are of what came after it. */
  async #endBroken(at: number, onRecord?: OnRecord): Promise<void> {
    const { agent, epoch } = this.#life.epoch;
    const { ledger } = this.#parts;
    if (!(await wasBrokenOff(ledger, { agent, epoch }, at, onRecord))) return;
    const name = await nameTurn(ledger, agent, epoch);
    await this.#end({ ...name, endedAt: at - 1, text: '' }, 'interrupted');
  }

  #isAuthority(): boolean {
    return this.#life.provider.capabilities.turnEnds === 'status';
  }

  /** A working hook that stayed silent at the end of a turn: a person interrupted it. */
  #judge({ status }: StatusView): TurnOutcome {
    if (status === 'error') return 'failed';
    if (this.#isAuthority()) return 'completed';
    return this.#hasHeardAuthority ? 'interrupted' : 'unknown';
  }

  async #end(
    { text, said, isStandIn = false, ...end }: Ended,
    outcome: TurnOutcome,
  ): Promise<void> {
    const { agent: child, epoch } = this.#life.epoch;
    const { ledger, surroundings, delivery } = this.#parts;
    const words = text ?? end.why ?? (await this.#readLastWords(outcome)) ?? said;
    const { isNews } = await endTurn(ledger, surroundings.clock, {
      ...{ ...end, child, epoch, outcome, isStandIn },
      ...(words === undefined ? {} : { text: words }),
    });
    if (isNews) await delivery.turnEnded(child, outcome);
  }

  /** Read once for all parts of an end: records that are late are waited for. */
  #openRecords(among: Heard['among']): (of: TurnOutcome) => Promise<OnRecord | undefined> {
    let found: Promise<OnRecord | undefined> | undefined;
    return async (outcome) => {
      if (outcome !== 'completed') return undefined;
      found ??= this.#readOnRecord(among);
      return found;
    };
  }

  /** Where one is owed, an answer must come from a turn that held the task (rule 26). */
  async #readOnRecord(among: Heard['among']): Promise<OnRecord | undefined> {
    const { agent } = this.#life.epoch;
    const { ledger, surroundings, delivery } = this.#parts;
    const debts = await ledger.read((tx) => tx.debts.listOwedBy(agent));
    if (debts.length === 0) return undefined;
    const read = (): Promise<OnRecord> => delivery.readOnRecord(agent);
    const given = { ledger, clock: surroundings.clock, agent, among, read };
    const limitMs = wordsMs + lateRecordsMs;
    return (await this.#ask((signal) => readUntilTold(given, signal), limitMs)) ?? nothingOnRecord;
  }

  async #readLastWords(outcome: TurnOutcome): Promise<string | undefined> {
    const words = await this.#ask((signal) => this.#records.lastWords(signal, outcome));
    return dropToldWords(this.#parts.ledger, this.#life.epoch.agent, outcome, words);
  }

  #ask<T>(
    ask: (signal: AbortSignal) => Promise<T | undefined>,
    limitMs = wordsMs,
  ): Promise<T | undefined> {
    return askRecords(this.#parts.surroundings.clock, limitMs, ask);
  }

  #after(ms: number, signal: AbortSignal, work: () => void): void {
    void pause(this.#parts.surroundings.clock, ms, signal).then((isOver) => isOver && work());
  }
}
