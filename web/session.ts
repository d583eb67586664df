import { type Proven, proofPrefix, type SignedIn } from '../src/protocol/page.ts';
import { Lost, Refused, readFault } from './fault.ts';

/**
 * What this tab may do, and who it does it with. Neither a cookie nor an address has the key: it
 * lies in this tab's storage, and goes out only to a server that has proven to know it.
 */
export interface Kept {
  readonly session: string;
  readonly key: string;
}

const place = 'signalbox.session';

/** Whoever answers at our address does not know our session: another program has the port. */
export class Stranger extends Error {}

export class Session {
  readonly #kept: Kept;
  #proof: Promise<void> | undefined;

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  static restore(): Session | undefined {
    const text = sessionStorage.getItem(place);
    if (text === null) return undefined;
    const [session, key] = text.split('\n');
    return session && key ? new Session({ session, key }) : undefined;
  }

  /** The link is spent by this, whatever comes of it. */
  static async signIn(link: string): Promise<Session> {
    const nonce = makeNonce();
    const { session, key, proof } = await ask<SignedIn>('/page/sign-in', { link, nonce });
    if (proof !== (await prove(key, nonce))) throw new Stranger();
    sessionStorage.setItem(place, `${session}\n${key}`);
    return new Session({ session, key });
  }

  static forget(): void {
    sessionStorage.removeItem(place);
  }

  /** The key, once the server has proven that it knows it, since the last lost connection. */
  async open(): Promise<Kept> {
    this.#proof ??= this.#check();
    try {
      await this.#proof;
    } catch (error) {
      this.distrust();
      throw error;
    }
    return this.#kept;
  }

  /** A connection was lost: somebody else may answer the next one. */
  distrust(): void {
    this.#proof = undefined;
  }

  async #check(): Promise<void> {
    const { session, key } = this.#kept;
    const nonce = makeNonce();
    const { proof } = await ask<Proven>('/page/prove', { session, nonce });
    if (proof !== (await prove(key, nonce))) throw new Stranger();
  }
}

/** Without a key: whoever answers learns nothing. */
async function ask<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new Lost(error);
  });
  const text = await response.text().catch((error: unknown) => {
    throw new Lost(error);
  });
  if (!response.ok) throw new Refused(response.status, readFault(text));
  try {
    return JSON.parse(text);
  } catch {
    // A server of ours answers in JSON.
    throw new Stranger();
  }
}

async function prove(key: string, nonce: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const secret = await crypto.subtle.importKey('raw', bytes.encode(key), algorithm, false, [
    'sign',
  ]);
  const mac = await crypto.subtle.sign('HMAC', secret, bytes.encode(`${proofPrefix}${nonce}`));
  return toHex(new Uint8Array(mac));
}

function makeNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
