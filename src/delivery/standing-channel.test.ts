import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import type { AgentStatus } from '../agents/agent.ts';
import { describeBroken } from '../messages/describe-wait.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { Pen } from './recipient.ts';
import { type ChannelParts, StandingChannel } from './standing-channel.ts';

interface Wish {
  readonly hasWaitingHook?: boolean;
  readonly why?: string;
  readonly cannot?: true;
  readonly takesOver?: true | 'notice';
  readonly pen?: string;
}

const somePen: Pen = { look: async () => 'gone', write: async () => 'gone' };

function open({ hasWaitingHook = true, why, cannot, takesOver, pen }: Wish = {}) {
  const clock = new ManualClock();
  const state = { status: 'idle' as AgentStatus, blocked: 'it is gone' as string | undefined };
  const tries: number[] = [];
  const putUp = async (): Promise<WaitReason | undefined> => {
    tries.push(clock.bootMs - 5_000_000);
    return why === undefined ? undefined : { code: 'cannot-be-put-up', why };
  };
  const recipient: ChannelParts['recipient'] = {
    ways: {
      ...{ routes: ['native'], provable: [], nativeDuring: [], pastes: 'message', hasWaitingHook },
      ...(takesOver ? { takesOver: takesOver === true ? 'paste' : takesOver } : {}),
    },
    pen: pen === undefined ? somePen : { code: 'native-blocked', why: pen },
    view: () => ({ status: state.status, composer: 'empty' }),
    ...(cannot ? {} : { putUp }),
  };
  const channel = new StandingChannel({
    clock,
    recipient,
    blocked: () =>
      state.blocked === undefined ? undefined : { code: 'native-blocked', why: state.blocked },
    tried: () => undefined,
  });
  /** As an actor does: a look, and the next one when it is due. */
  const live = async (ms: number): Promise<void> => {
    const endsAt = clock.bootMs + ms;
    for (;;) {
      const againInMs = channel.look();
      const leftMs = endsAt - clock.bootMs;
      await clock.pass(Math.min(againInMs ?? leftMs, leftMs));
      if (clock.bootMs >= endsAt) return;
    }
  };
  const broken = (): string | undefined => channel.broken && describeBroken(channel.broken);
  return { channel, broken, state, tries, live, clock };
}

test('rule 53: what is gone at rest is put up again within 15 s, tried four times by then, and ever less often', async () => {
  const { broken, tries, live } = open();
  await live(15_000);
  expect(tries).toEqual([3000, 5000, 7000, 11_000]);
  await live(3_600_000);
  expect(tries.length).toBeLessThan(20);
  expect(broken()).toBe('it cannot be woken: it is gone; it is being put up again');
});

test('rule 53: what is back by itself within a moment is neither put up nor spoken of', async () => {
  const { broken, state, tries, live } = open();
  await live(2900);
  state.blocked = undefined;
  await live(60_000);
  expect(tries).toEqual([]);
  expect(broken()).toBeUndefined();
});

test('rule 53: once it stands it is not spoken of, and its next loss begins anew', async () => {
  const { broken, state, tries, live } = open();
  await live(4000);
  expect(broken()).toContain('it cannot be woken');
  state.blocked = undefined;
  await live(1000);
  expect(broken()).toBeUndefined();
  state.blocked = 'it is gone';
  await live(3500);
  expect(tries).toEqual([3000, 8000]);
});

test('rule 53: why it cannot be put up is said as long as it is so', async () => {
  const { broken, live } = open({ why: 'there is no settings file' });
  await live(4000);
  expect(broken()).toBe('it cannot be woken: it is gone; there is no settings file');
  const without = open({ cannot: true });
  await without.live(4000);
  expect(without.broken()).toBe('it cannot be woken: it is gone');
});

test('a waiting hook is missed at rest alone: the end of a turn brings the next one', async () => {
  const { broken, state, tries, live } = open();
  state.status = 'processing';
  await live(60_000);
  state.status = 'waiting';
  await live(60_000);
  expect(tries).toEqual([]);
  expect(broken()).toBeUndefined();
});

test('rule 53: any other channel that was up is missed in a turn and in a dialog, too, and never at the start', async () => {
  const { state, tries, live } = open({ hasWaitingHook: false });
  state.status = 'starting';
  await live(60_000);
  state.status = 'waiting';
  await live(60_000);
  expect(tries).toEqual([]);
  state.blocked = undefined;
  await live(1000);
  state.blocked = 'it is gone';
  state.status = 'processing';
  await live(3500);
  expect(tries.length).toBe(1);
  state.status = 'waiting';
  await live(2000);
  expect(tries.length).toBe(2);
});

test('rule 53: turns and moments of an unreadable screen begin no wait anew for what a daemon has never seen up', async () => {
  const { channel, state, tries, live } = open({ hasWaitingHook: false, takesOver: true });
  for (let i = 0; i < 6; i++) {
    for (const status of ['idle', 'processing', 'completed', 'unknown'] as const) {
      state.status = status;
      await live(1500);
    }
  }
  expect(channel.standsIn).toBe('paste');
  expect(tries[0]).toBe(25_000);
});

test('a channel that has never been up is given 25 s to come', async () => {
  const { broken, tries, live } = open({ hasWaitingHook: false });
  await live(24_000);
  expect(tries).toEqual([]);
  expect(broken()).toBeUndefined();
  await live(2000);
  expect(tries).toEqual([25_000]);
});

test('rule 53: the next route takes over after 15 s, and no longer than it is needed', async () => {
  const { channel, state, live } = open({ hasWaitingHook: false, cannot: true });
  await live(14_000);
  expect(channel.isTakenOver).toBe(false);
  expect(channel.look()).toBe(1000);
  await live(1000);
  expect(channel.isTakenOver).toBe(true);
  state.blocked = undefined;
  channel.look();
  expect(channel.isTakenOver).toBe(false);
});

test('rule 53: while the paste stands in, what is broken is said, and that messages go in all the same', async () => {
  const { channel, broken, state, live } = open({
    hasWaitingHook: false,
    cannot: true,
    takesOver: true,
  });
  state.blocked = undefined;
  await live(1000);
  state.blocked = 'it is gone.';
  await live(4000);
  expect(broken()).toBe(
    'it cannot be woken for some seconds, then messages go in by paste: it is gone',
  );
  await live(12_000);
  expect(broken()).toBe('messages go in by paste meanwhile: it is gone');
  expect(channel.standsIn).toBe('paste');
  state.blocked = undefined;
  expect(channel.standsIn).toBeUndefined();
});

test('rule 53: what was never up is said to be broken as soon as the paste stands in', async () => {
  const { channel, broken, live } = open({ hasWaitingHook: false, cannot: true, takesOver: true });
  await live(14_000);
  expect([channel.standsIn, broken()]).toEqual([undefined, undefined]);
  await live(2000);
  const said = 'messages go in by paste meanwhile: it is gone';
  expect([channel.standsIn, broken()]).toEqual(['paste', said]);
});

test('rule 53: a paste that its terminal does not allow stands in for nothing, and why is said', async () => {
  const { channel, broken, live } = open({
    cannot: true,
    takesOver: true,
    pen: 'it takes no typing',
  });
  await live(20_000);
  expect(broken()).toBe('it cannot be woken: it is gone; it takes no typing');
  expect(channel.standsIn).toBeUndefined();
});

test('rule 53: where one pasted line stands in, it is said that it tells of messages, and carries none', async () => {
  const { channel, broken, live } = open({ cannot: true, takesOver: 'notice' });
  await live(4000);
  expect(broken()).toBe(
    'it cannot be woken for some seconds, then a pasted line tells it that messages wait: it is gone',
  );
  await live(12_000);
  expect(broken()).toBe('a pasted line tells it that messages wait meanwhile: it is gone');
  expect(channel.standsIn).toBe('notice');
});
