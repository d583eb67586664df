import type { Letter } from './letters.ts';
import { readLetters } from './letters.ts';
import type { Player } from './player.ts';
import { type Part, parts, review, standIn, user } from './plot.ts';
import type { ToolResult } from './scripted/tool-client.ts';
import type { Turn } from './scripted/turn.ts';
import { makeWord, seal, wordIn } from './words.ts';

/**
 * Assigns its parts at once, goes on, and ends its turn; the answers come as messages. What one has
 * exited with it gives to another. When it has all of them it hands off the review, waits for that,
 * and answers whoever gave it the task. Until then its turns end without a word: the words of one
 * that ended with nothing open below it would be taken for its answer (rule 30).
 */
export class Supervisor {
  readonly #player: Player;
  readonly #open = new Map<string, Part>();
  readonly #heard: string[] = [];
  #giver: string | undefined;
  #isHandedOff = false;

  constructor(player: Player) {
    this.#player = player;
  }

  async act(turn: Turn, letters: readonly Letter[]): Promise<void> {
    await this.#player.receive(turn, letters);
    for (const letter of letters) await this.#read(turn, letter);
    if (this.#giver !== undefined && this.#open.size === 0 && !this.#isHandedOff) {
      await this.#handOff(turn);
    }
    if (this.#isHandedOff && this.#open.size === 0) await this.#finish(turn);
    this.#player.note({ fact: 'doing', text: this.#describe() });
  }

  async #read(turn: Turn, letter: Letter): Promise<void> {
    const part = this.#open.get(letter.from);
    if (letter.kind === 'task' && letter.from === user) return this.#begin(turn, letter.from);
    if (!part) return;
    if (letter.outcome === 'exited') {
      this.#open.delete(part.worker);
      this.#player.tell(`← ${part.worker} has exited; it owed “${part.title}”`);
      return this.#assign(turn, { ...part, worker: standIn });
    }
    this.#hear(part, letter);
  }

  #hear({ worker }: Part, { body }: Letter): void {
    const word = wordIn(body);
    if (word === undefined) return;
    this.#open.delete(worker);
    this.#heard.push(word);
    this.#player.tell(`← ${worker}: ${body}`);
  }

  async #begin(turn: Turn, giver: string): Promise<void> {
    this.#giver = giver;
    for (const part of parts) await this.#assign(turn, part);
    await this.#player.work(turn, 2, 'goes on with its own work');
  }

  async #assign(turn: Turn, part: Part): Promise<void> {
    this.#open.set(part.worker, part);
    await this.#give(turn, 'assign', part, { profile: 'worker', name: part.worker });
    this.#player.tell(`assign → ${part.worker}: ${part.title}`);
  }

  async #handOff(turn: Turn): Promise<void> {
    const player = this.#player;
    this.#isHandedOff = true;
    this.#open.set(review.worker, review);
    player.note({ fact: 'doing', text: `waits for ${review.worker} in its handoff` });
    player.tell(`handoff → ${review.worker}: ${review.title}`);
    const { text } = await this.#give(turn, 'handoff', review, { profile: review.worker });
    const letters = readLetters(text);
    // Without one it will come as a message (rule 31).
    await player.receive(turn, letters);
    for (const letter of letters) this.#hear(review, letter);
  }

  /** The same key under which it is given again, should nobody know whether it was (rule 33). */
  async #give(
    turn: Turn,
    tool: 'assign' | 'handoff',
    { worker, title }: Part,
    to: Readonly<Record<string, string>>,
  ): Promise<ToolResult> {
    const player = this.#player;
    const task = seal(title, makeWord());
    const letter = { to: worker, text: wordIn(task) ?? '' };
    player.note({ fact: 'sending', ...letter });
    const given = { ...to, task, key: `${tool} ${letter.text}` };
    let isBroken = false;
    const result = await player.insist(turn, tool, given, () => {
      if (!isBroken) player.tell(`its ${tool} broke off; it calls again under the same key`);
      isBroken = true;
      player.note({ fact: 'sending', ...letter });
    });
    player.note({ fact: 'accepted', id: String(result.document['short']), ...letter });
    return result;
  }

  async #finish(turn: Turn): Promise<void> {
    const player = this.#player;
    const giver = this.#giver;
    if (giver === undefined) return;
    this.#giver = undefined;
    const { text } = await player.insist(turn, 'check_inbox', { max: 10 });
    await player.receive(turn, readLetters(text));
    player.answer(turn, giver, seal(`shipped; heard ${this.#heard.join(', ')}`, makeWord()));
  }

  #describe(): string {
    return this.#open.size === 0 ? '' : `waits for ${[...this.#open.keys()].join(', ')}`;
  }
}
