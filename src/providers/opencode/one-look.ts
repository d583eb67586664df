import { asText } from '../../shared/json.ts';
import { OutsideFailure } from '../../shared/report-bug.ts';
import { askServer, exchange, type ServerAddress } from './server.ts';

/** Some messages of a session, the oldest first. */
export interface Page {
  readonly messages: readonly unknown[];
  /** Leads to those before them. */
  readonly before: string | undefined;
}

/** Of messages, asked for at once: what answers a prompt is near it. */
const pageSize = 20;

/**
 * One look at OpenCode's server on behalf of all attempts that are judged together: the same
 * question is asked once. A loaded machine takes a second for each (1.18.33), and a prompt and the
 * one behind it are judged by the same answer.
 */
export class OneLook {
  readonly #address: ServerAddress;
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(address: ServerAddress) {
    this.#address = address;
  }

  /** Throws when it cannot be had. */
  async statusOfSessions(): Promise<unknown> {
    return await this.once('/session/status', async () => {
      const { body } = await askServer(this.#address, '/session/status', timeout());
      return body;
    });
  }

  /**
   * The last ones of a session, or those before a page; undefined when there is no such session.
   * Throws when they cannot be had.
   */
  async readPage(session: string, before?: string): Promise<Page | undefined> {
    const cursor = before === undefined ? '' : `&before=${encodeURIComponent(before)}`;
    const path = `/session/${encodeURIComponent(session)}/message?limit=${pageSize}${cursor}`;
    return await this.once(path, async () => {
      const answer = await exchange(this.#address, { method: 'GET', path });
      if (answer.outcome !== 'answered') throw new OutsideFailure(answer.reason);
      const { status, body, headers } = answer;
      if (status === 404) return undefined;
      if (status !== 200 || !Array.isArray(body)) {
        throw new OutsideFailure(`${path} answers ${status}`);
      }
      return { messages: body, before: asText(headers['x-next-cursor']) };
    });
  }

  /** What was asked is asked again: something has come since. */
  forget(): void {
    this.#answers.clear();
  }

  async once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(question) as Promise<T> | undefined;
    if (known !== undefined) return await known;
    const asked = ask();
    this.#answers.set(question, asked);
    return await asked;
  }
}

export function timeout(): AbortSignal {
  return AbortSignal.timeout(5000);
}
