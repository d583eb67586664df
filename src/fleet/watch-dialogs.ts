import type { StatusView } from '../agents/status.ts';
import { pause } from '../shared/clock.ts';
import { endTurn } from './end-turn.ts';
import type { Life } from './life.ts';
import type { FleetParts } from './parts.ts';
import type { TurnEndQueue } from './turn-end-queue.ts';

/**
 * A child that sits in a dialog for so long is reported to its parent, once per dialog (rule 27,
 * O15).
 */
const dialogMs = 30_000;

/** Tells of dialogs that a life's agent sits in. It owns one timer, and dies with `close`. */
export class DialogWatch {
  readonly #parts: FleetParts;
  readonly #life: Life;
  readonly #queue: TurnEndQueue;
  #dialog: { readonly since: number; readonly over: AbortController } | undefined;

  constructor(parts: FleetParts, life: Life, queue: TurnEndQueue) {
    this.#parts = parts;
    this.#life = life;
    this.#queue = queue;
  }

  status({ status, detail, question, since }: StatusView): void {
    if (status !== 'waiting') {
      this.close();
      return;
    }
    if (this.#dialog?.since === since) return;
    this.#dialog?.over.abort();
    const over = new AbortController();
    this.#dialog = { since, over };
    const { agent: child, epoch } = this.#life.epoch;
    const { ledger, surroundings } = this.#parts;
    const turn = { session: `epoch-${epoch}`, id: `dialog-${since}`, stop: 1 };
    const asks = [detail ?? 'a dialog is open', ...(question === undefined ? [] : [question])];
    const text = `It waits for a person: ${asks.join(': ').replace(/[.?]?$/, (end) => end || '.')}`;
    const end = { child, epoch, ...turn, text, outcome: 'waiting' } as const;
    const tell = async (): Promise<void> => void (await endTurn(ledger, surroundings.clock, end));
    void pause(surroundings.clock, dialogMs, over.signal).then((isOver) => {
      if (isOver) void this.#queue.enqueue(tell);
    });
  }

  close(): void {
    this.#dialog?.over.abort();
    this.#dialog = undefined;
  }
}
