import {
  type Attempt,
  type AttemptOutcome,
  type Claim,
  isInjecting,
  type NewClaim,
} from '../../messages/claim.ts';
import type {
  CarriedState,
  ClaimNote,
  ClaimStore,
  Entered,
  Handed,
} from '../../messages/claim-store.ts';
import type { Message } from '../../messages/message.ts';
import type { StoredAttempt, Tables } from './tables.ts';

export class MemoryClaimStore implements ClaimStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async open(claim: NewClaim): Promise<Claim | undefined> {
    const live = await this.listLive(claim.recipient);
    if (isInjecting(claim.route) && live.some((other) => isInjecting(other.route)))
      return undefined;
    const opened = { ...claim, token: this.#tables.nextKey('token'), isSubmitted: false };
    this.#tables.set(this.#tables.claims, opened.token, opened);
    return opened;
  }

  async find(token: number): Promise<Claim | undefined> {
    return this.#tables.claims.get(token);
  }

  async findByMark(mark: string): Promise<Claim | undefined> {
    return [...this.#tables.claims.values()].find((claim) => claim.mark === mark);
  }

  async listLive(recipient: string): Promise<readonly Claim[]> {
    return this.#of(recipient).filter((claim) => claim.endedAt === undefined);
  }

  async listUnfinished(recipient: string): Promise<readonly Claim[]> {
    const injected = this.#tables.listOpen(recipient).filter((m) => m.state === 'injected');
    const tokens = new Set(injected.map((message) => message.token));
    return this.#of(recipient).filter(
      (claim) => claim.endedAt === undefined || (claim.route === 'pull' && tokens.has(claim.token)),
    );
  }

  async listUnproven(recipient: string): Promise<readonly Claim[]> {
    const open = this.#tables.listOpen(recipient);
    const tokens = new Set(
      open
        .filter((m) => m.state === 'uncertain' || (m.state === 'injected' && !this.#isEnd(m)))
        .map(({ token }) => token),
    );
    return this.#of(recipient).filter(({ route, token }) => route !== 'pull' && tokens.has(token));
  }

  async note(token: number, note: ClaimNote): Promise<void> {
    const claim = this.#tables.claims.get(token);
    if (claim) this.#tables.set(this.#tables.claims, token, { ...claim, ...note });
  }

  async endIfEmpty(token: number, at: number): Promise<void> {
    const claim = this.#tables.claims.get(token);
    if (!claim || claim.endedAt !== undefined) return;
    if ((await this.listCarried(claim, 'claimed')).length > 0) return;
    this.#tables.set(this.#tables.claims, token, { ...claim, endedAt: at });
  }

  async listCarried(claim: Claim, state: CarriedState): Promise<readonly Message[]> {
    const open = this.#tables.listOpen(claim.recipient);
    return open.filter((message) => message.state === state && message.token === claim.token);
  }

  async addAttempts(messageIds: readonly string[], claim: Claim): Promise<void> {
    const attempt = { outcome: 'claimed', isPointer: false, folded: 0 } as const;
    for (const id of messageIds) this.#put(id, claim.token, attempt);
  }

  async setOutcome(ids: readonly string[], token: number, outcome: AttemptOutcome): Promise<void> {
    for (const id of ids) this.#change(id, token, { outcome });
  }

  async listAttempts(messageId: string): Promise<readonly Attempt[]> {
    const attempts = [...(this.#tables.attempts.get(messageId) ?? [])];
    return attempts.map(([token, attempt]) => this.#describe(messageId, token, attempt));
  }

  async listAttemptsOf(token: number): Promise<readonly Attempt[]> {
    const found: Attempt[] = [];
    for (const [id, attempts] of this.#tables.attempts) {
      const attempt = attempts.get(token);
      if (attempt) found.push(this.#describe(id, token, attempt));
    }
    return found;
  }

  async setPointers(ids: readonly string[], token: number): Promise<void> {
    for (const id of ids) this.#change(id, token, { isPointer: true });
  }

  async setHandedOut(id: string, token: number, handed: Handed | undefined): Promise<void> {
    const attempt = this.#tables.attempts.get(id)?.get(token);
    if (!attempt) return;
    const { handedOutAt: _, line: __, ...rest } = attempt;
    const { at, line } = handed ?? {};
    const now = at === undefined ? {} : { handedOutAt: at };
    this.#put(id, token, { ...rest, ...now, ...(line === undefined ? {} : { line }) });
  }

  async fold(id: string, token: number, into: number): Promise<void> {
    const attempts = new Map(this.#tables.attempts.get(id));
    const [old, next] = [attempts.get(token), attempts.get(into)];
    if (!old || !next) return;
    attempts.set(into, { ...next, folded: next.folded + 1 + old.folded });
    attempts.delete(token);
    this.#tables.set(this.#tables.attempts, id, attempts);
    const isEnded = this.#tables.claims.get(token)?.endedAt !== undefined;
    if (isEnded && (await this.listAttemptsOf(token)).length === 0) {
      this.#tables.delete(this.#tables.claims, token);
    }
  }

  async listByHand(recipient: string): Promise<readonly Attempt[]> {
    const injected = this.#tables.listOpen(recipient).filter(({ state }) => state === 'injected');
    const present = injected.flatMap(({ id, token }) => {
      const attempt = token === undefined ? undefined : this.#tables.attempts.get(id)?.get(token);
      return attempt && token !== undefined ? [this.#describe(id, token, attempt)] : [];
    });
    return present.filter(({ route, isPointer }) => route === 'pull' || isPointer);
  }

  async listEntered(recipient: string, epoch: number): Promise<readonly Entered[]> {
    const entered: (Entered & { seq: number })[] = [];
    for (const claim of this.#of(recipient)) {
      if (claim.epoch !== epoch) continue;
      for (const each of await this.listAttemptsOf(claim.token)) {
        const { messageId: id, outcome, handedOutAt } = each;
        const isPrinted = claim.route !== 'pull' || handedOutAt !== undefined;
        const isIn =
          outcome === 'seen' ||
          outcome === 'acked' ||
          (outcome === 'injected' && !claim.isBehindTurn && isPrinted);
        const mayBeIn = isIn || ['claimed', 'injected', 'uncertain'].includes(outcome);
        const isAnswered = this.#tables.attempts.get(id)?.get(claim.token)?.turn !== undefined;
        if (isAnswered || !mayBeIn) continue;
        const seq = this.#tables.messages.get(id)?.seq ?? 0;
        const { token, at, mark, route } = claim;
        entered.push({ messageId: id, token, at, mark, route, isIn, seq });
      }
    }
    return entered.sort((a, b) => a.seq - b.seq).map(({ seq: _, ...each }) => each);
  }

  async setTurn(
    entered: readonly Pick<Entered, 'messageId' | 'token'>[],
    turn: string,
  ): Promise<void> {
    for (const { messageId, token } of entered) this.#change(messageId, token, { turn });
  }

  #isEnd({ id, token = 0 }: Message): boolean {
    const isPointer = this.#tables.attempts.get(id)?.get(token)?.isPointer;
    return this.#tables.claims.get(token)?.provable === false && !isPointer;
  }

  #of(recipient: string): readonly Claim[] {
    return [...this.#tables.claims.values()].filter((claim) => claim.recipient === recipient);
  }

  #change(id: string, token: number, change: Partial<StoredAttempt>): void {
    const attempt = this.#tables.attempts.get(id)?.get(token);
    if (attempt) this.#put(id, token, { ...attempt, ...change });
  }

  #put(id: string, token: number, attempt: StoredAttempt): void {
    const attempts = new Map(this.#tables.attempts.get(id)).set(token, attempt);
    this.#tables.set(this.#tables.attempts, id, attempts);
  }

  #describe(messageId: string, token: number, attempt: StoredAttempt): Attempt {
    const claim = this.#tables.claims.get(token);
    if (!claim) throw new Error(`no claim ${token}`);
    const { at, route, epoch } = claim;
    return { messageId, token, at, route, epoch, ...attempt };
  }
}
