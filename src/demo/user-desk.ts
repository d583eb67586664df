import type { Client } from '../client/client.ts';
import type { TaskRequest } from '../protocol/tasks.ts';
import { Journal } from './journal.ts';
import { user } from './plot.ts';
import { makeWord, seal, wordIn } from './words.ts';

/** The person at the other end, who gives one task and takes what comes into their own inbox. */
export class UserDesk {
  readonly #client: Client;
  readonly #journal: Journal;
  /** The answer, once it is here. */
  answer: string | undefined;

  constructor(client: Client, home: string) {
    this.#client = client;
    this.#journal = new Journal(home, user);
  }

  async give(to: string, title: string, how: Pick<TaskRequest, 'session' | 'cwd'>): Promise<void> {
    const task = seal(title, makeWord());
    const letter = { to, text: wordIn(task) ?? '' };
    this.#journal.note({ fact: 'sending', ...letter });
    const given = await this.#client.assign({ ...how, to, name: to, task, key: task });
    this.#journal.note({ fact: 'accepted', id: given.short ?? given.task, ...letter });
  }

  async look(): Promise<void> {
    const { messages } = await this.#client.listInbox(undefined, {
      states: ['queued', 'uncertain'],
      max: 1,
    });
    if (messages.length === 0) return;
    const drain = await this.#client.drain(undefined, {});
    const copies = drain.messages.map(({ id, short = id, from, body, repeat }) => {
      return { id: short, from: from.name, text: wordIn(body) ?? '', repeat: repeat === true };
    });
    this.#journal.note({ fact: 'received', copies });
    this.answer ??= drain.messages.find(({ body }) => wordIn(body) !== undefined)?.body;
    await drain.finish();
  }
}
