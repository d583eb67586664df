import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { proofPrefix, type SignedIn } from '../../protocol/page.ts';
import { toIso } from '../../protocol/views.ts';
import type { Clock } from '../../shared/clock.ts';
import { createSecret } from '../../shared/ids.ts';
import { readBearer } from '../read-bearer.ts';

/** A link is good for one sign-in, within this time. */
const linkMs = 60_000;
/** A session that nobody uses ends after so long. */
const restMs = 3_600_000;
/** Whoever has more windows than that loses the one that rested longest. */
const mostSessions = 32;
/** Links that nobody has used yet. */
const mostLinks = 16;

/** One window of a browser, signed in. */
export interface PageSession {
  /** No secret: it is sent before the server has proven anything. */
  readonly id: string;
  /** Its secret; shown in every request. */
  readonly key: string;
  readonly readOnly: boolean;
  /** Wall times. */
  readonly since: number;
  readonly usedAt: number;
}

interface Link {
  readonly readOnly: boolean;
  readonly untilMs: number;
}

interface Open {
  session: PageSession;
  usedAtMs: number;
  /** Answers that last: while there is one, it is in use. */
  held: number;
}

export interface PageSessionsParts {
  readonly clock: Clock;
  /** So that a later daemon knows them; called whenever they have changed. */
  readonly keep: (sessions: readonly PageSession[]) => void;
  /** What an earlier daemon kept. */
  readonly kept?: readonly PageSession[];
}

/** Links and sessions. Secrets are compared by their hashes, in constant time. */
export class PageSessions {
  readonly #parts: PageSessionsParts;
  readonly #links = new Map<string, Link>();
  readonly #open = new Map<string, Open>();

  constructor(parts: PageSessionsParts) {
    this.#parts = parts;
    const { clock } = parts;
    for (const session of parts.kept ?? []) {
      // The monotonic clock of another boot means nothing here; one that lies ahead is as new as
      // can be.
      const restedMs = Math.max(0, clock.now() - session.usedAt);
      const usedAtMs = clock.monotonicMs() - restedMs;
      if (restedMs < restMs) this.#open.set(session.id, { session, usedAtMs, held: 0 });
    }
  }

  /** Nobody is signed in, and no link can be used any more. */
  get isEmpty(): boolean {
    this.#endOld();
    return this.#open.size === 0 && this.#links.size === 0;
  }

  /** The secret of a new link. */
  offer(readOnly: boolean): { readonly link: string; readonly expiresAt: string } {
    this.#endOld();
    const { clock } = this.#parts;
    const link = createSecret('link');
    if (this.#links.size >= mostLinks) drop(this.#links);
    this.#links.set(hash(link), { readOnly, untilMs: clock.monotonicMs() + linkMs });
    return { link, expiresAt: toIso(clock.now() + linkMs) };
  }

  /** The link is spent with it. Undefined: it was, or is none. */
  signIn(link: string, nonce: string): SignedIn | undefined {
    this.#endOld();
    const known = this.#links.get(hash(link));
    if (!known) return undefined;
    this.#links.delete(hash(link));
    const { clock } = this.#parts;
    const now = clock.now();
    const [id, key] = [createSecret('page'), createSecret('key')];
    const session = { id, key, readOnly: known.readOnly, since: now, usedAt: now };
    if (this.#open.size >= mostSessions) drop(this.#open);
    this.#open.set(id, { session, usedAtMs: clock.monotonicMs(), held: 0 });
    this.#keep();
    const { readOnly } = session;
    return { session: id, key, proof: prove(key, nonce), readOnly, since: toIso(now) };
  }

  /** That we know the key of this session. Undefined: we do not. */
  prove(id: string, nonce: string): string | undefined {
    const known = this.#find(id);
    return known && prove(known.session.key, nonce);
  }

  /** By `Authorization: Bearer <session>.<key>`. */
  find(authorization: string | undefined): PageSession | undefined {
    const [id = '', key = '', ...more] = (readBearer(authorization) ?? '').split('.');
    return more.length > 0 ? undefined : this.findBy(id, key);
  }

  findBy(id: string, key: string): PageSession | undefined {
    const known = this.#find(id);
    return known && isSame(known.session.key, key) ? known.session : undefined;
  }

  /** It was used just now. */
  use({ id }: PageSession): void {
    const known = this.#open.get(id);
    if (!known) return;
    const { clock } = this.#parts;
    known.usedAtMs = clock.monotonicMs();
    // The one that has rested longest stands first.
    this.#open.delete(id);
    this.#open.set(id, known);
    const now = clock.now();
    if (Math.abs(now - known.session.usedAt) < linkMs) return;
    known.session = { ...known.session, usedAt: now };
    this.#keep();
  }

  /** An answer of it lasts; returns the end of that. */
  hold(session: PageSession): () => void {
    const known = this.#open.get(session.id);
    if (!known) return () => undefined;
    known.held++;
    let isHeld = true;
    return () => {
      if (isHeld) known.held--;
      isHeld = false;
      this.use(session);
    };
  }

  /** Somebody else may have heard what they sent: none of them is good any more. */
  endAll(): void {
    this.#open.clear();
    this.#links.clear();
    this.#keep();
  }

  #find(id: string): Open | undefined {
    this.#endOld();
    return this.#open.get(id);
  }

  #endOld(): void {
    const now = this.#parts.clock.monotonicMs();
    for (const [link, { untilMs }] of this.#links) if (untilMs <= now) this.#links.delete(link);
    const before = this.#open.size;
    for (const [id, { usedAtMs, held }] of this.#open) {
      if (held === 0 && now - usedAtMs >= restMs) this.#open.delete(id);
    }
    if (this.#open.size < before) this.#keep();
  }

  #keep(): void {
    this.#parts.keep([...this.#open.values()].map(({ session }) => session));
  }
}

function drop(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

function prove(key: string, nonce: string): string {
  return createHmac('sha256', key).update(`${proofPrefix}${nonce}`).digest('hex');
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function isSame(secret: string, shown: string): boolean {
  return timingSafeEqual(Buffer.from(hash(secret)), Buffer.from(hash(shown)));
}
