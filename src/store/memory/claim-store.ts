import {
  type Attempt,
  type AttemptOutcome,
  type Claim,
  isInjecting,
  type NewClaim,
} from '../../messages/claim.ts';
import type { ClaimStore } from '../../messages/claim-store.ts';
import type { Message } from '../../messages/message.ts';
import type { Tables } from './tables.ts';

export class MemoryClaimStore implements ClaimStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async open(claim: NewClaim): Promise<Claim | undefined> {
    const live = await this.listLive(claim.recipient);
    if (isInjecting(claim.route) && live.some((other) => isInjecting(other.route)))
      return undefined;
    const opened = { ...claim, token: this.#tables.nextKey('token') };
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

  async endIfEmpty(token: number, at: number): Promise<void> {
    const claim = this.#tables.claims.get(token);
    if (!claim || claim.endedAt !== undefined) return;
    if ((await this.listCarried(claim, 'claimed')).length > 0) return;
    this.#tables.set(this.#tables.claims, token, { ...claim, endedAt: at });
  }

  async listCarried(claim: Claim, state: 'claimed' | 'injected'): Promise<readonly Message[]> {
    const open = this.#tables.listOpen(claim.recipient);
    return open.filter((message) => message.state === state && message.token === claim.token);
  }

  async addAttempts(messageIds: readonly string[], claim: Claim): Promise<void> {
    for (const id of messageIds) this.#setOutcome(id, claim.token, 'claimed');
  }

  async setOutcome(ids: readonly string[], token: number, outcome: AttemptOutcome): Promise<void> {
    for (const id of ids) {
      if (this.#tables.attempts.get(id)?.has(token)) this.#setOutcome(id, token, outcome);
    }
  }

  async listAttempts(messageId: string): Promise<readonly Attempt[]> {
    const attempts = [...(this.#tables.attempts.get(messageId) ?? [])];
    return attempts.map(([token, outcome]) => this.#describe(messageId, token, outcome));
  }

  async listAttemptsOf(token: number): Promise<readonly Attempt[]> {
    const found: Attempt[] = [];
    for (const [id, attempts] of this.#tables.attempts) {
      const outcome = attempts.get(token);
      if (outcome) found.push(this.#describe(id, token, outcome));
    }
    return found;
  }

  #of(recipient: string): readonly Claim[] {
    return [...this.#tables.claims.values()].filter((claim) => claim.recipient === recipient);
  }

  #setOutcome(id: string, token: number, outcome: AttemptOutcome): void {
    const attempts = new Map(this.#tables.attempts.get(id)).set(token, outcome);
    this.#tables.set(this.#tables.attempts, id, attempts);
  }

  #describe(messageId: string, token: number, outcome: AttemptOutcome): Attempt {
    const claim = this.#tables.claims.get(token);
    if (!claim) throw new Error(`no claim ${token}`);
    return { messageId, token, outcome, at: claim.at, route: claim.route, epoch: claim.epoch };
  }
}
