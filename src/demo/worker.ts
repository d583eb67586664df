import type { Letter } from './letters.ts';
import type { Player } from './player.ts';
import { aside, placeOf, writers } from './plot.ts';
import type { Turn } from './scripted/turn.ts';
import { makeWord, seal, wordIn } from './words.ts';

/** Takes tasks, works, and answers each with a word of its own. What is no task it only reads. */
export class Worker {
  readonly #player: Player;
  #tasks = 0;

  constructor(player: Player) {
    this.#player = player;
  }

  async act(turn: Turn, letters: readonly Letter[]): Promise<void> {
    const player = this.#player;
    await player.receive(turn, letters);
    for (const letter of letters) if (letter.kind === 'task') await this.#do(turn, letter);
    player.note({ fact: 'doing', text: '' });
  }

  async #do(turn: Turn, { id, from, body }: Letter): Promise<void> {
    const player = this.#player;
    const title = body.replace(/ \(word: .*/, '');
    player.note({ fact: 'doing', text: title });
    await player.work(turn, 3 + this.#pace());
    await player.hold(turn, placeOf(++this.#tasks));
    if (aside.from === player.name) await this.#send(turn, aside.to, { to: aside.to }, aside.text);
    const text = `done: ${title}`;
    if (!writers.includes(player.name)) player.answer(turn, from, seal(text, makeWord()));
    else await this.#send(turn, from, { reply_to: id }, text);
  }

  async #send(turn: Turn, to: string, way: Readonly<Record<string, string>>, text: string) {
    const player = this.#player;
    const body = seal(text, makeWord());
    const letter = { to, text: wordIn(body) ?? '' };
    player.note({ fact: 'sending', ...letter });
    const given = { body, ...way, key: `${text} ${letter.text}` };
    const { document } = await player.insist(turn, 'send_message', given);
    player.note({ fact: 'accepted', id: String(document['short']), ...letter });
    player.tell(`send_message → ${to}: ${body}`);
  }

  /** They do not finish at once. */
  #pace(): number {
    return 2 * Number(/\d+$/.exec(this.#player.name)?.[0] ?? 1);
  }
}
