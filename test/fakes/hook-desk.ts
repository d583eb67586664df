import type { HookDesk, Said, Waiter } from '../../src/delivery/hook-desk.ts';
import type { HookOffer, HookReply } from '../../src/providers/way-in.ts';

/** Says what it is told to say, once, and remembers who asked and what was confirmed. */
export class FakeHookDesk implements HookDesk {
  readonly asked: { readonly agent: string; readonly offer: HookOffer }[] = [];
  readonly waiting: { readonly agent: string; readonly waiter: Waiter }[] = [];
  readonly confirmed: string[] = [];
  /** The text for whoever asks next. */
  next: string | undefined;
  isConfirmable = true;
  /** What `ask` and `confirm` wait for. */
  gate: Promise<void> = Promise.resolve();
  #count = 0;
  #tell = new Map<Waiter, (outcome: Said | 'dismissed') => void>();

  async ask(agent: string, offer: HookOffer): Promise<Said | undefined> {
    this.asked.push({ agent, offer });
    await this.gate;
    const text = this.next;
    this.next = undefined;
    return text === undefined ? undefined : this.#say(offer, text);
  }

  wait(agent: string, waiter: Waiter, signal: AbortSignal): Promise<Said | 'dismissed'> {
    this.waiting.push({ agent, waiter });
    return new Promise((resolve) => {
      this.#tell.set(waiter, resolve);
      signal.addEventListener('abort', () => {
        this.#tell.delete(waiter);
        resolve('dismissed');
      });
    });
  }

  async caption(_: string, text: string, show: (line: string) => HookReply): Promise<Said> {
    return { id: `say_${++this.#count}`, reply: show(text) };
  }

  async confirm(id: string): Promise<boolean> {
    await this.gate;
    this.confirmed.push(id);
    return this.isConfirmable;
  }

  /** How many wait now. */
  get waiters(): number {
    return this.#tell.size;
  }

  /** To everybody who waits. */
  wake(text: string): void {
    for (const [waiter, tell] of this.#tell) tell(this.#say(waiter.offer, text));
    this.#tell.clear();
  }

  dismiss(): void {
    for (const tell of this.#tell.values()) tell('dismissed');
    this.#tell.clear();
  }

  #say(offer: HookOffer, text: string): Said {
    return { id: `say_${++this.#count}`, reply: offer.reply(text) };
  }
}
