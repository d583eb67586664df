import { asObject, type Json } from '../../shared/json.ts';
import type { Injected, Injection, Interrupting, LiveContext, NativeRoute } from '../way-in.ts';
import { deriveMessageId } from './message-id.ts';
import { Pauses } from './pauses.ts';
import { Place } from './place.ts';
import { exchange, findServer, type ServerAddress } from './server.ts';
import { findWaiting } from './waiting.ts';

/**
 * OpenCode's HTTP API: `prompt_async`, under a message id of our own. At rest it begins a turn;
 * while one goes on, or waits for a person, the text joins it at its next step (1.18.33). The
 * person's draft and dialogs are not touched.
 */
export function openNative(life: LiveContext): NativeRoute {
  let route: ServerRoute | undefined;
  let isClosed = false;
  const find = (): ServerRoute | string => {
    if (route) return route;
    const address = isClosed ? undefined : findServer(life.current().runFolder);
    if (address === undefined) return missing;
    if (address === 'unreadable') return unreadable;
    route = new ServerRoute(address, life);
    return route;
  };
  find();
  return {
    blocked: () => {
      const found = find();
      return typeof found === 'string' ? found : found.blocked();
    },
    inject: async (injection) => {
      const found = find();
      return typeof found === 'string' ? refused(found) : await found.inject(injection);
    },
    release: async () => {
      const found = find();
      if (typeof found !== 'string') await found.release();
    },
    interrupt: async () => {
      const found = find();
      return typeof found === 'string' ? refused(found) : await found.interrupt();
    },
    close: () => {
      isClosed = true;
      route?.close();
    },
  };
}

const missing = 'this OpenCode was launched without a server that signalbox knows';
const unreadable = "the address of OpenCode's server cannot be read now";

class ServerRoute implements NativeRoute {
  readonly #address: ServerAddress;
  readonly #life: LiveContext;
  readonly #place: Place;
  #isUp = false;
  #wasUp = false;
  readonly #pauses = new Pauses();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(address: ServerAddress, life: LiveContext) {
    this.#address = address;
    this.#life = life;
    this.#place = new Place(address, life);
    this.#lookSoon(0);
  }

  blocked(): string | undefined {
    if (this.#isUp) return undefined;
    return `OpenCode's server does not answer${this.#wasUp ? '' : ' yet'}`;
  }

  async inject({ mark, at, text, begin, signal }: Injection): Promise<Injected> {
    const blocked = this.blocked();
    if (blocked !== undefined) return refused(blocked);
    const place = await this.#place.choose();
    if ('reason' in place) return this.#fail(place.reason);
    const id = deriveMessageId({ mark, at });
    const path = `/session/${encodeURIComponent(place.session)}`;
    const receipt = `${place.session}/${id}`;
    // The same id a second time asks no model again, but appends the text to the message (1.18.33).
    const known = await exchange(this.#address, { method: 'GET', path: `${path}/message/${id}` });
    if (known.outcome !== 'answered') return this.#fail(known.reason);
    if (known.status === 200) return { outcome: 'taken', receipt };
    if (signal.aborted || !(await begin())) return refused('it is too late for this attempt');
    const body = toPrompt(id, text, place.settings);
    const sent = await exchange(this.#address, {
      method: 'POST',
      path: `${path}/prompt_async`,
      body,
    });
    switch (sent.outcome) {
      case 'unsent':
        return this.#fail(sent.reason);
      case 'lost':
        return { outcome: 'unknown', reason: sent.reason };
      case 'answered':
        return judgeAnswer(sent.status, receipt);
    }
  }

  /**
   * What came while a turn went on that a person then broke off is in the conversation, and no turn
   * begins for it. The same message again, with nothing to add, begins one; the model gets it once
   * (1.18.33).
   */
  async release(): Promise<void> {
    const place = await this.#place.find();
    if (!place || 'reason' in place) return;
    const path = `/session/${encodeURIComponent(place.session)}`;
    const waiting = await findWaiting(this.#address, place.session);
    if (waiting === undefined) return;
    const body = { messageID: waiting, ...place.settings, parts: [] };
    await exchange(this.#address, { method: 'POST', path: `${path}/prompt_async`, body });
  }

  /** At rest the server says the same and does nothing, so it is asked first (1.18.33). */
  async interrupt(): Promise<Interrupting> {
    const place = await this.#place.find();
    if (!place) return refused('its terminal shows no conversation');
    if ('reason' in place) return refused(place.reason);
    const { session } = place;
    const ask = (method: string, path: string) => exchange(this.#address, { method, path });
    const status = await ask('GET', '/session/status');
    if (status.outcome !== 'answered' || status.status !== 200) {
      return refused("OpenCode's server does not say what it does");
    }
    if (asObject(status.body)[session] === undefined) return { outcome: 'at-rest' };
    const sent = await ask('POST', `/session/${encodeURIComponent(session)}/abort`);
    if (sent.outcome === 'unsent') return refused(sent.reason);
    if (sent.outcome === 'lost') return { outcome: 'unknown', reason: sent.reason };
    if (sent.status === 200) return { outcome: 'asked' };
    const reason = `OpenCode answers ${sent.status}`;
    return sent.status < 500 ? refused(reason) : { outcome: 'unknown', reason };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #fail(reason: string): Injected {
    this.#isUp = false;
    this.#pauses.beginAnew();
    this.#lookSoon(this.#pauses.next());
    return refused(reason);
  }

  #lookSoon(inMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#look(), inMs);
    this.#timer.unref();
  }

  /** While OpenCode starts it takes connections that it never answers (1.18.33). */
  async #look(): Promise<void> {
    const answer = await exchange(this.#address, { method: 'GET', path: '/session/status' });
    if (this.#isClosed) return;
    this.#isUp = answer.outcome === 'answered' && answer.status === 200;
    this.#wasUp ||= this.#isUp;
    if (!this.#isUp) return this.#lookSoon(this.#pauses.next());
    this.#pauses.succeed();
    this.#life.changed();
  }
}

function toPrompt(messageID: string, text: string, settings: Json): Json {
  return { messageID, ...settings, parts: [{ type: 'text', text }] };
}

/** It has checked the request before it does anything; what it says after that proves nothing. */
function judgeAnswer(status: number, receipt: string): Injected {
  if (status >= 200 && status < 300) return { outcome: 'taken', receipt };
  const reason = `OpenCode answers ${status}`;
  return status >= 400 && status < 500 ? refused(reason) : { outcome: 'unknown', reason };
}

function refused(reason: string): { readonly outcome: 'refused'; readonly reason: string } {
  return { outcome: 'refused', reason };
}
