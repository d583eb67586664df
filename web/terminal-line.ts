import type { TerminalWish, TerminalWord } from '../src/protocol/page.ts';
import type { Api } from './api.ts';
import { describeFailure } from './fault.ts';

export type Screen = Extract<TerminalWord, { type: 'screen' }>;

export interface TerminalState {
  readonly screen: Screen | undefined;
  /** ISO time until which this page may type. */
  readonly takenUntil: string | undefined;
  /** The last thing that was refused or that ended. */
  readonly told: string | undefined;
  readonly isOpen: boolean;
  /** It is not tried any more: what can be had is one look at a time. */
  readonly isStill: boolean;
}

export const closed: TerminalState = {
  ...{ screen: undefined, takenUntil: undefined, told: undefined, isOpen: false },
  isStill: false,
};

/** So often without one screen, and this daemon shows none live. */
const mostFailures = 2;
const retryMs = { first: 1000, most: 30_000 };

/**
 * The line to one terminal. It shows what the backend has drawn, and sends keys while the person
 * has taken the keyboard, which the server decides.
 */
export class TerminalLine {
  readonly #api: Api;
  readonly #agent: string;
  readonly #tell: (state: TerminalState) => void;
  #socket: WebSocket | undefined;
  #state = closed;
  #isOver = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #waitMs = retryMs.first;
  #failures = 0;

  constructor(api: Api, agent: string, tell: (state: TerminalState) => void) {
    this.#api = api;
    this.#agent = agent;
    this.#tell = tell;
    void this.#open();
  }

  take(): void {
    this.#send({ type: 'take' });
  }

  release(): void {
    this.#send({ type: 'release' });
  }

  keys(data: string): void {
    if (this.#state.takenUntil !== undefined && data !== '') this.#send({ type: 'keys', data });
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  async #open(): Promise<void> {
    try {
      const kept = await this.#api.openSession();
      if (this.#isOver) return;
      const socket = new WebSocket(`ws://${location.host}/page/terminal`);
      this.#socket = socket;
      socket.onopen = () => {
        this.#change({ isOpen: true, told: undefined });
        this.#send({ type: 'open', ...kept, agent: this.#agent });
      };
      socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as TerminalWord);
      socket.onclose = () => this.#lose();
    } catch (error) {
      this.#lose();
      this.#change({ told: describeFailure(error).message });
    }
  }

  #hear(word: TerminalWord): void {
    if (word.type === 'ended') this.#isOver = true;
    this.#waitMs = retryMs.first;
    this.#change(this.#takeIn(word));
  }

  #takeIn(word: TerminalWord): Partial<TerminalState> {
    switch (word.type) {
      case 'screen':
        return { screen: word };
      case 'taken':
        return { takenUntil: word.until, told: undefined };
      case 'refused':
        return { told: word.why };
      case 'released':
      case 'ended':
        return { takenUntil: undefined, told: word.why };
    }
  }

  #lose(): void {
    const told = this.#isOver ? this.#state.told : 'It cannot be watched live just now.';
    this.#failures++;
    const isStill = !this.#state.screen && this.#failures >= mostFailures;
    this.#change({ takenUntil: undefined, isOpen: false, told, isStill });
    if (this.#isOver || isStill) return;
    this.#api.distrust();
    this.#retry = setTimeout(() => void this.#open(), this.#waitMs);
    this.#waitMs = Math.min(retryMs.most, this.#waitMs * 2);
  }

  #send(wish: TerminalWish): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(wish));
  }

  #change(more: Partial<TerminalState>): void {
    this.#state = { ...this.#state, ...more };
    this.#tell(this.#state);
  }
}
