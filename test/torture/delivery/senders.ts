import { setTimeout as delay } from 'node:timers/promises';
import type { Standing } from '../../../src/messages/standing.ts';
import type { SendResult } from '../../../src/protocol/messages.ts';
import type { Random } from '../random.ts';
import type { Station } from './station.ts';

/** A send that was answered: it was accepted. */
export interface Sent {
  readonly id: string;
  readonly key: string;
  readonly to: string;
  readonly body: string;
  /** As what it was accepted; undefined where nobody looks at that. */
  readonly standing?: Standing;
}

/** By HTTP as a script, by a command without a terminal, and with the user's token. */
type By = 'request' | 'command' | 'prompt';

/** Between two tries of a send that nobody answered. */
const againMs = 200;

/**
 * Senders by request, by command and with the user's own words, each of which repeats a send under
 * its key until it is answered (rule 33).
 */
export class Senders {
  readonly sent = new Map<string, Sent>();
  readonly complaints: string[] = [];
  repeated = 0;
  #count = 0;
  readonly #station: Station;
  readonly #random: Random;

  constructor(station: Station, random: Random) {
    this.#station = station;
    this.#random = random;
  }

  /** Until there is no load any more, and what was begun is answered. */
  async run(by: By, isLoaded: () => boolean): Promise<void> {
    while (isLoaded()) {
      // Now and then many at once: they go in together.
      const burst = this.#random.chance(0.15) ? this.#random.whole(3, 12) : 1;
      const to = this.#random.pick(this.#station.agents);
      for (let i = 0; i < burst && isLoaded(); i++) await this.#send(by, to);
      await delay(this.#random.between(80, 500));
    }
  }

  async #send(by: By, to: string): Promise<void> {
    const key = `k${++this.#count}`;
    const body = `${key} for ${to}. ${this.#pickWork()}`;
    for (let tries = 0; ; tries++) {
      if (tries > 0) {
        this.repeated++;
        await delay(againMs);
      }
      const result = await (by === 'command'
        ? this.#command(to, key, body)
        : this.#request(to, key, body, by === 'prompt'));
      if (!result) continue;
      const standing = by === 'prompt' ? 'prompt' : 'notice';
      // Said again, it may have been carried already.
      if (!result.duplicate && result.standing !== standing)
        this.complaints.push(`${key} was accepted as a ${result.standing}`);
      if (result.to.name !== to) this.complaints.push(`${key} was accepted for ${result.to.name}`);
      this.sent.set(result.short, { id: result.short, key, to, body, standing });
      return;
    }
  }

  #request(
    to: string,
    key: string,
    body: string,
    asUser: boolean,
  ): Promise<SendResult | undefined> {
    const send = { body: { to, key, body }, asUser };
    return this.#station.ask<SendResult>('POST', '/messages', send).catch(() => undefined);
  }

  async #command(to: string, key: string, body: string): Promise<SendResult | undefined> {
    const { code, stdout } = await this.#station.run(['send', to, body, '--key', key, '--json']);
    return code === 0 ? (JSON.parse(stdout) as SendResult) : undefined;
  }

  /** What the agent does with it; the words are the scripted agent's. */
  #pickWork(): string {
    const roll = this.#random.next();
    if (roll < 0.05) return '@@ask permission make install';
    if (roll < 0.2) return `@@work ${this.#random.whole(100, 900)}`;
    // No failing turns: a model API that fails is left alone for longer each time, and nothing
    // would come to rest.
    return roll < 0.25 ? `@@stream ${this.#random.whole(3, 20)} lines 20ms` : 'Nothing to do.';
  }
}
