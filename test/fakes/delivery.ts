import { createPuller, userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { type Parcel, type ParcelWish, pack } from '../../src/delivery/deliver.ts';
import type { DeliveryParts } from '../../src/delivery/parts.ts';
import type { Recipient, Ways } from '../../src/delivery/recipient.ts';
import type { Message, MessageDraft } from '../../src/messages/message.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { FakeClock } from './clock.ts';
import { FakeHosts } from './host.ts';

export const fakeAgentId = 'agt_1';

const ways: Ways = {
  routes: ['native', 'turn-boundary', 'paste', 'pull'],
  provable: ['native', 'turn-boundary', 'paste'],
  nativeDuring: [],
  pastes: 'message',
  hasWaitingHook: false,
};

/**
 * Delivery's parts around a ledger that forgets, one agent in its first life, and a clock that
 * moves by sleeping.
 */
export class FakeDelivery {
  readonly clock = new FakeClock();
  readonly hosts = new FakeHosts();
  readonly ledger = new MemoryLedger();
  readonly dead = new Set<number>();
  readonly warnings: string[] = [];
  readonly parts: DeliveryParts = {
    ledger: this.ledger,
    surroundings: { clock: this.clock, host: this.hosts.start() },
    limits: { blocks: 3, wakes: 60, scripts: 240, noticeAfterMs: 10_000 },
    log: { info: () => undefined, warn: (_, text) => void this.warnings.push(text) },
    isAlive: (pid) => !this.dead.has(pid),
  };

  static async open(): Promise<FakeDelivery> {
    const fake = new FakeDelivery();
    const puller = createPuller(fakeAgentId, fake.clock.now());
    const row = { ...puller, name: 'lead', session: 'default', notify: false, cwd: '/srv/app' };
    await fake.ledger.write(async (tx) => {
      await tx.agents.insert(row);
      await tx.agents.setEpoch(fakeAgentId, 1);
    });
    return fake;
  }

  recipient(
    more: Partial<Omit<Recipient, 'ways'>> & { readonly ways?: Partial<Ways> } = {},
  ): Recipient {
    return {
      agent: fakeAgentId,
      epoch: 1,
      native: undefined,
      evidence: undefined,
      pen: { code: 'terminal-gone' },
      view: () => ({ status: 'idle', composer: 'empty', atRestSince: this.clock.monotonicMs() }),
      ...more,
      ways: { ...ways, ...more.ways },
    };
  }

  async send(draft: Partial<MessageDraft> = {}): Promise<Message> {
    const full = {
      kind: 'message',
      from: userAgentId,
      to: fakeAgentId,
      body: 'hello',
      ...draft,
    } as const;
    const [accepted] = await accept(this.ledger, this.clock, [full]);
    if (accepted?.outcome !== 'accepted') throw new Error('not accepted');
    return accepted.message;
  }

  async pack(
    route: ParcelWish['route'],
    recipient = this.recipient(),
    more: Partial<ParcelWish> = {},
  ): Promise<Parcel> {
    const parcel = await pack(this.parts, recipient, { ...more, route });
    if (!parcel) throw new Error('nothing to pack');
    return parcel;
  }

  async find(id: string): Promise<Message> {
    const message = await this.ledger.read((tx) => tx.messages.find(id));
    if (!message) throw new Error(`no message ${id}`);
    return message;
  }
}
