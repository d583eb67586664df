import { join } from 'node:path';
import { userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import type { Station } from '../terminals/station.ts';
import { InputWatch, pasteEnd } from './input-watch.ts';
import { openPipe, plainProvider } from './plain-program.ts';

export interface Recipient {
  readonly id: string;
  readonly name: string;
  readonly input: InputWatch;
}

/** performance.now() of both. */
export interface Pasted {
  readonly pastedAt: number;
  readonly enteredAt: number;
}

export interface Sent extends Pasted {
  readonly sentAt: number;
  readonly id: string;
}

/** Programs of a station that are sent to, and what they read. */
export class Recipients {
  readonly agents: Recipient[] = [];
  readonly #station: Station;
  readonly #statuses = new Map<string, { readonly status: string; readonly at: number }>();

  private constructor(station: Station) {
    this.#station = station;
    station.onStatus(({ agent, status, at }) => this.#statuses.set(agent, { status, at }));
  }

  static launch(station: Station, count: number): Promise<Recipients> {
    return Recipients.#launch(station, count, async (name) => {
      const { id, control } = await station.launch(name);
      const listen = (listener: (bytes: Buffer) => void) => control.watchInput(listener);
      return { id, name, input: await InputWatch.open(listen) };
    });
  }

  static launchPlain(station: Station, count: number): Promise<Recipients> {
    return Recipients.#launch(station, count, async (name) => {
      const pipe = openPipe(join(station.home, 'control'), name);
      const input = await InputWatch.open(async (listener) => pipe.onBytes(listener));
      const env = { BENCH_PIPE: pipe.path };
      return { id: await station.launchProgram(name, plainProvider, env), name, input };
    });
  }

  static async #launch(
    station: Station,
    count: number,
    launch: (name: string) => Promise<Recipient>,
  ): Promise<Recipients> {
    const recipients = new Recipients(station);
    for (let i = 0; i < count; i += atOnce) {
      const names = Array.from({ length: Math.min(atOnce, count - i) }, (_, j) => `r${i + j}`);
      recipients.agents.push(...(await Promise.all(names.map(launch))));
    }
    return recipients;
  }

  /** At rest, and nothing was typed or told for so long. */
  async areQuiet(agents: readonly Recipient[], quietMs: number): Promise<void> {
    for (const { name, input } of agents) {
      for (let left = 6000; ; left--) {
        const { status, at = 0 } = this.#statuses.get(name) ?? {};
        const quietFor = performance.now() - Math.max(input.lastAt, at);
        if (restful.has(status) && quietFor >= quietMs) break;
        if (left === 0) throw new Error(`${name} does not come to rest: ${status}`);
        await systemClock.sleep(10);
      }
    }
  }

  /** By the daemon's API, as agents do. */
  send(recipient: Recipient, body: string): Promise<Sent> {
    const ask = { to: recipient.name, body };
    return this.#follow(recipient, () => this.#station.ask<SendResult>('POST', '/messages', ask));
  }

  /**
   * As `signalbox send` does once it runs: committed by the sender, which then tells the daemon.
   */
  commit(recipient: Recipient, ledger: Ledger, body: string): Promise<Sent> {
    return this.#follow(recipient, async () => {
      const { id: to } = recipient;
      const draft = { kind: 'message', from: userAgentId, to, body } as const;
      const [accepted] = await accept(ledger, systemClock, [draft]);
      if (accepted?.outcome !== 'accepted') throw new Error('it was not accepted');
      await this.#station.ask('POST', `/agents/${to}/look`);
      return accepted.message;
    });
  }

  async #follow({ input }: Recipient, give: () => Promise<{ readonly id: string }>): Promise<Sent> {
    const read = Promise.all(input.next(pasteEnd, `${pasteEnd}\r`));
    const sentAt = performance.now();
    const sent = give();
    const [{ id }, [pastedAt = Number.NaN, enteredAt = Number.NaN]] = await Promise.all([
      sent,
      read,
    ]);
    return { id, sentAt, pastedAt, enteredAt };
  }
}

const restful = new Set<string | undefined>(['idle', 'completed']);
/** Two cores start a few programs at once as quickly as one by one, and more of them slower. */
const atOnce = 5;
