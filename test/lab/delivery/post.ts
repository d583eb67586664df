import { randomBytes } from 'node:crypto';
import type { Explanation, SendResult } from '../../../src/protocol/messages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';

/**
 * One message of the lab: a word in its body that stands nowhere else, by which the mock's truth is
 * known.
 */
export interface Letter {
  readonly id: string;
  readonly word: string;
}

/** Sends to the agent under test and compares what the ledger says with what the model got. */
export class Post {
  readonly #life: Life;
  readonly #agent: string;

  constructor(life: Life, agent = 'lab') {
    this.#life = life;
    this.#agent = agent;
  }

  /** The script is played when the model gets it; without one the mock notes it. */
  async send(
    script = '@@say ok',
    more: readonly string[] = [],
    word = createWord(),
  ): Promise<Letter> {
    const { id } = await this.#life.box.ask<SendResult>([
      'send',
      this.#agent,
      `${word} ${script}`,
      ...more,
    ]);
    return { id, word };
  }

  /** The same by the user, at a terminal: its standing is the user's. */
  async sendAsUser(
    body: string,
    more: readonly string[] = [],
    word = createWord(),
  ): Promise<Letter> {
    const args = ['send', this.#agent, body.replaceAll('WORD', word), ...more];
    const { id } = await this.#life.box.askAsUser<SendResult>(args);
    return { id, word };
  }

  explain(id: string): Promise<Explanation> {
    return this.#life.box.ask<Explanation>(['explain', id]);
  }

  async state(id: string): Promise<string> {
    return (await this.explain(id)).message.state;
  }

  /** Waits until the ledger says so, and says what it says otherwise. */
  async becomes(
    { id }: Letter,
    states: readonly string[],
    deadlineMs = patienceMs,
  ): Promise<Explanation> {
    let last: Explanation | undefined;
    const isThere = async (): Promise<boolean> => {
      last = await this.explain(id);
      return states.includes(last.message.state);
    };
    await waitUntil(`${id} ${states.join(' or ')}`, isThere, deadlineMs).catch(() => {
      throw new Error(`it is not ${states.join(' or ')}: ${tell(last)}`);
    });
    if (!last) throw new Error('asked, and no answer');
    return last;
  }

  /** Seen, by that route, and in no request of the model more than once. */
  async isSeen(letter: Letter, route?: string, deadlineMs = patienceMs): Promise<Explanation> {
    const story = await this.becomes(letter, ['seen', 'acked'], deadlineMs);
    const carried = story.attempts.at(-1)?.route;
    if (route !== undefined) must(carried === route, `${carried} carried it, not ${route}`);
    must(this.requestsWith(letter).length > 0, 'the ledger says seen; the model never got it');
    this.isOnce(letter, story);
    return story;
  }

  isOnce(letter: Letter, story?: Explanation): void {
    const most = Math.max(
      0,
      ...this.requestsWith(letter).map((request) => copies(request, letter)),
    );
    must(most <= 1, `${most} copies stand in one request: ${tell(story)}`);
  }

  /** Requests of turns, not the CLI's own, that held it. */
  requestsWith({ word }: Letter): readonly LoggedRequest[] {
    return this.#life.mock.requests.filter(({ isSide, body }) => !isSide && body.includes(word));
  }
}

export function createWord(): string {
  return `letter${randomBytes(5).toString('hex')}`;
}

/** In texts of the user's side: what the model itself repeats is no copy. */
function copies({ body }: LoggedRequest, { word }: Letter): number {
  return body.match(new RegExp(`${word} \\\\*@`, 'g'))?.length ?? 0;
}

export function tell(story: Explanation | undefined): string {
  return (story?.history ?? [])
    .map(({ to, cause, evidence }) => `${to} (${cause}${evidence ? `: ${evidence}` : ''})`)
    .join(' → ');
}
