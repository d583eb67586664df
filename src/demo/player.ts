import { systemClock } from '../shared/clock.ts';
import type { Json } from '../shared/json.ts';
import type { Fact, Journal } from './journal.ts';
import type { Letter } from './letters.ts';
import { readOrders } from './orders.ts';
import type { ToolClient, ToolResult } from './scripted/tool-client.ts';
import type { Turn } from './scripted/turn.ts';
import { useTool } from './scripted/use-tool.ts';
import { wordIn } from './words.ts';

/** Between two looks at the orders of one that is held. */
const holdMs = 20;

export interface PlayerParts {
  readonly name: string;
  readonly home: string;
  readonly journal: Journal;
  readonly tools: ToolClient;
  /** All its waiting is counted in these. */
  readonly beatMs: number;
}

/**
 * What every program of the demo can do: read, call a tool, work, and write down each of these
 * before the next.
 */
export class Player {
  readonly name: string;
  readonly #parts: PlayerParts;
  /** The answer with which the turn ends, until a hook has taken it. */
  #answer: { readonly to: string; readonly text: string } | undefined;

  constructor(parts: PlayerParts) {
    this.name = parts.name;
    this.#parts = parts;
  }

  note(fact: Fact): void {
    this.#parts.journal.note(fact);
  }

  tell(text: string): void {
    this.note({ fact: 'story', text });
  }

  /**
   * Reads them, and says so to signalbox by their ids: nothing else proves it for a program without
   * a transcript.
   */
  async receive(turn: Turn, letters: readonly Letter[]): Promise<void> {
    if (letters.length === 0) return;
    const copies = letters.map(({ id, from, body, repeat }) => {
      return { id: `${this.name}:${id}`, from, text: wordIn(body) ?? '', repeat };
    });
    this.note({ fact: 'received', copies });
    await this.insist(turn, 'ack', { ids: letters.map(({ id }) => id) });
  }

  use(turn: Turn, tool: string, given: Json): Promise<ToolResult> {
    return useTool(this.#parts.tools, turn, tool, given);
  }

  /** Calls again, with the same arguments and so under the same key, until it is done (rule 33). */
  async insist(
    turn: Turn,
    tool: string,
    given: Json,
    onTrouble: (result: ToolResult) => void = () => undefined,
  ): Promise<ToolResult> {
    for (;;) {
      const result = await this.use(turn, tool, given);
      if (!result.isError) return result;
      onTrouble(result);
      await this.work(turn, 1);
    }
  }

  /** Ends the turn with these words: that is the answer to whoever gave the task. */
  answer(turn: Turn, to: string, text: string): void {
    const letter = { to, text: wordIn(text) ?? '' };
    this.note({ fact: 'sending', ...letter });
    this.#answer = letter;
    turn.say(text);
  }

  stopped(): void {
    if (this.#answer) this.note({ fact: 'accepted', ...this.#answer });
    this.#answer = undefined;
  }

  work(turn: Turn, beats: number, text?: string): Promise<void> {
    if (text !== undefined) this.note({ fact: 'doing', text });
    return systemClock.sleep(beats * this.#parts.beatMs, turn.signal);
  }

  async hold(turn: Turn, at: string): Promise<void> {
    const isHeld = (): boolean => readOrders(this.#parts.home)[this.name] === at;
    if (isHeld()) this.note({ fact: 'holding', at });
    while (isHeld()) await systemClock.sleep(holdMs, turn.signal);
  }
}
