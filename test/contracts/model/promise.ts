/**
 * The promise, written down a second time by hand: what becomes of each message, without a store, a
 * transaction or a line of src/messages. The property test runs the same random program against
 * this and against a real engine.
 */

export type State =
  | 'queued'
  | 'claimed'
  | 'injected'
  | 'seen'
  | 'acked'
  | 'uncertain'
  | 'superseded'
  | 'expired'
  | 'dead';

const legal: Record<State, string> = {
  queued: 'claimed acked seen superseded expired dead',
  claimed: 'injected acked seen queued uncertain dead',
  injected: 'seen acked queued uncertain dead',
  seen: 'acked queued',
  acked: '',
  uncertain: 'injected seen acked queued dead',
  superseded: '',
  expired: 'acked seen queued',
  dead: 'acked seen queued',
};

export function isLegal(from: State, to: State): boolean {
  return legal[from].split(' ').includes(to);
}

export interface Letter {
  readonly id: string;
  readonly order: number;
  readonly kind: 'message' | 'task' | 'completion' | 'bounce' | 'notice';
  readonly from: string;
  readonly to: string;
  readonly child?: string;
  readonly answersTask: boolean;
  expiresAt: number;
  state: State;
  mayRepeat: boolean;
  notLanded: number;
  reoffered: boolean;
  reason?: string;
  isHidden?: boolean;
  /** Claims that carried it, oldest first; true once that try is proven not landed. */
  readonly tries: Map<number, boolean>;
}

export interface Grip {
  readonly token: number;
  readonly mark: string;
  readonly to: string;
  readonly puts: boolean;
  readonly holder: number;
  readonly until: number;
}

/** A bounce or notice that the promise demands and the ledger must have written. */
export interface News {
  readonly kind: 'bounce' | 'notice';
  readonly to: string;
  readonly about: string;
}

export class Promises {
  readonly letters = new Map<string, Letter>();
  readonly grips = new Map<number, Grip>();
  readonly living = new Set<string>(['agt_user']);
  readonly dead = new Set<number>();
  readonly children = new Map<string, string>();
  news: News[] = [];
  now = 0;
  boot = 0;

  inbox(to: string, ...states: State[]): Letter[] {
    return [...this.letters.values()]
      .filter((letter) => letter.to === to && states.includes(letter.state))
      .sort((a, b) => a.order - b.order);
  }

  /** What the claim carries right now. */
  carried(token: number, state: State): Letter[] {
    return [...this.letters.values()].filter(
      (letter) => letter.state === state && lastTry(letter) === token,
    );
  }

  isLive(grip: Grip): boolean {
    return this.carried(grip.token, 'claimed').length > 0;
  }

  accept(letter: Letter): void {
    if (letter.kind === 'completion' && letter.state === 'queued') {
      for (const older of this.inbox(letter.to, 'queued')) {
        if (older.child === letter.child && older.kind === 'completion' && !older.answersTask)
          older.state = 'superseded';
      }
    }
    const isNews = letter.answersTask || this.deadCompletions(letter).length === 0;
    if (letter.state === 'dead' && isNews) {
      this.tell('bounce', letter);
    }
    this.letters.set(letter.id, letter);
    this.showNewest(letter);
  }

  /** Completions of the same child that are dead for the same reason, and shown. */
  private deadCompletions({ child, reason }: Letter): Letter[] {
    return [...this.letters.values()]
      .filter((l) => l.kind === 'completion' && l.state === 'dead' && !l.isHidden)
      .filter((l) => l.child === child && l.reason === reason)
      .sort((a, b) => a.order - b.order);
  }

  private showNewest(letter: Letter): void {
    if (letter.kind !== 'completion' || letter.state !== 'dead') return;
    for (const older of this.deadCompletions(letter).slice(0, -1)) {
      if (!older.answersTask) older.isHidden = true;
    }
  }

  /** What a claim must take: the head of the inbox, in order. */
  take(to: string, puts: boolean, count: number): Letter[] {
    const waiting = this.inbox(to, 'queued', ...(puts ? [] : (['uncertain'] as const)));
    // Past its time to live a queued one is not handed out, also before anybody has settled it.
    const head = waiting.filter(
      ({ state, expiresAt }) => state !== 'queued' || expiresAt > this.now,
    );
    return head.slice(0, count).filter((letter) => {
      if (letter.state === 'queued') return true;
      letter.mayRepeat = true;
      return this.requeue(letter) === 'queued';
    });
  }

  requeue(letter: Letter): State {
    letter.state = 'queued';
    if (letter.kind !== 'completion' || letter.answersTask) return letter.state;
    const overtaken = [...this.letters.values()].some(
      (other) =>
        other.kind === 'completion' &&
        other.child === letter.child &&
        other.to === letter.to &&
        other.order > letter.order &&
        !['dead', 'expired', 'superseded'].includes(other.state),
    );
    if (overtaken) letter.state = 'superseded';
    return letter.state;
  }

  settle(to: string): void {
    for (const grip of this.grips.values()) {
      if (grip.to !== to) continue;
      const gone = this.dead.has(grip.holder);
      if (gone || this.boot >= grip.until) {
        for (const letter of this.carried(grip.token, 'claimed')) letter.state = 'uncertain';
      }
      if (gone && !grip.puts) {
        for (const letter of this.carried(grip.token, 'injected')) letter.state = 'uncertain';
      }
    }
    for (const letter of this.inbox(to, 'queued')) {
      if (letter.expiresAt > this.now) continue;
      letter.state = 'expired';
      this.tell('bounce', letter);
    }
  }

  ack(letter: Letter): void {
    if (letter.state === 'acked' || letter.state === 'superseded') return;
    this.tellIfGivenUp(letter);
    letter.state = 'acked';
  }

  see(token: number): void {
    for (const letter of this.letters.values()) {
      if (letter.tries.get(token) !== false || !isLegal(letter.state, 'seen')) continue;
      this.tellIfGivenUp(letter);
      letter.state = 'seen';
    }
  }

  resolve(letter: Letter, verdict: 'absent' | 'held' | 'no-proof'): void {
    const isOpen = letter.state === 'uncertain';
    if (verdict === 'held' && isOpen) letter.state = 'injected';
    if (verdict === 'absent' && (isOpen || letter.state === 'injected')) {
      letter.tries.set(lastTry(letter) ?? 0, true);
      if (letter.notLanded === 4) this.bury(letter, 'attempts_exhausted');
      else {
        letter.notLanded++;
        // Another try may have landed: then the next copy still has to say so.
        letter.mayRepeat = [...letter.tries.values()].some((isProvenAbsent) => !isProvenAbsent);
        this.requeue(letter);
      }
    }
    if (verdict === 'no-proof' && isOpen) {
      if (letter.reoffered) this.bury(letter, 'attempts_exhausted');
      else {
        letter.reoffered = true;
        letter.mayRepeat = true;
        this.requeue(letter);
      }
    }
  }

  /**
   * `told`: tasks whose giver was told by the agent's end; those still waiting in its inbox bounce.
   */
  remove(agent: string, told: ReadonlySet<string>): void {
    this.living.delete(agent);
    for (const letter of this.inbox(agent, 'queued', 'claimed', 'injected', 'uncertain')) {
      const reason = letter.kind === 'completion' ? 'parent_removed' : 'recipient_removed';
      const isTold = letter.kind === 'task' && told.has(letter.id);
      if (isTold && (letter.state === 'queued' || letter.state === 'claimed')) {
        throw new Error(`${letter.id} never arrived, and is told as if it had`);
      }
      this.bury(letter, reason, !isTold);
    }
    for (const [child, parent] of this.children) if (parent === agent) this.children.delete(child);
  }

  retry(letter: Letter): void {
    if (letter.state !== 'dead' && letter.state !== 'expired') return;
    if (!this.living.has(letter.to)) return;
    letter.expiresAt = Number.POSITIVE_INFINITY;
    letter.isHidden = false;
    letter.notLanded = 0;
    letter.reoffered = false;
    letter.mayRepeat = letter.tries.size > 0;
    this.requeue(letter);
  }

  private bury(letter: Letter, reason: string, isBounced = true): void {
    letter.state = 'dead';
    letter.reason = reason;
    this.showNewest(letter);
    if (isBounced) this.tell('bounce', letter);
  }

  private tellIfGivenUp(letter: Letter): void {
    if (letter.state === 'dead' || letter.state === 'expired') this.tell('notice', letter);
  }

  private tell(kind: News['kind'], letter: Letter): void {
    if (letter.kind === 'bounce' || letter.kind === 'notice') return;
    if (this.living.has(letter.from)) this.news.push({ kind, to: letter.from, about: letter.id });
  }
}

function lastTry(letter: Letter): number | undefined {
  return [...letter.tries.keys()].at(-1);
}
