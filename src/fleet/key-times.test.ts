import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../test/fakes/clock.ts';
import { KeyTimes } from './key-times.ts';

const hourMs = 3_600_000;

/** A terminal, as its backend tells of keys: by the second of the wall clock. */
function open() {
  const clock = new FakeClock();
  const times = new KeyTimes(clock);
  const keys = new Map<string, number>();
  const look = (): number | undefined => {
    const all = [...keys.values()];
    const typingStamp = all.join(':');
    return times.read(
      all.length === 0 ? { typingStamp } : { typingStamp, humanKeyAt: Math.max(...all) },
    );
  };
  return {
    ...{ clock, times },
    type: (session = '$1'): void => void keys.set(session, Math.floor(clock.now() / 1000)),
    look,
    /** Milliseconds since the last key, by a look now. */
    ago: (): number => clock.monotonicMs() - (look() ?? Number.NaN),
    setBy: (ms: number): void => clock.setWall(clock.now() + ms),
  };
}

describe('rules 5, 24: when a person last typed', () => {
  test('is known to the second, and counts to its end', () => {
    const { clock, type, look, ago } = open();
    expect(look()).toBeUndefined();
    type();
    expect(ago()).toBe(0);
    clock.pass(400);
    // Another key may have come in this second.
    expect(ago()).toBe(0);
    clock.pass(4600);
    expect(ago()).toBe(4001);
    type();
    clock.pass(2500);
    expect(ago()).toBe(1501);
  });

  test('is known of keys from before the first look', () => {
    const { clock, type, ago } = open();
    type();
    clock.pass(60_000);
    expect(ago()).toBe(59_001);
  });

  test.each([-hourMs, -20_000, 20_000, hourMs])(
    'stays what it was when the clock is set by %i ms',
    (ms) => {
      const { clock, type, ago, setBy } = open();
      type();
      clock.pass(10_000);
      expect(ago()).toBe(9001);
      setBy(ms);
      expect(ago()).toBe(9001);
      clock.pass(10_000);
      expect(ago()).toBe(19_001);
    },
  );

  test('is no later than the first look, after a clock that was set back before it', () => {
    const { clock, type, ago, setBy } = open();
    type();
    clock.pass(10_000);
    setBy(-hourMs);
    expect(ago()).toBe(0);
    clock.pass(5000);
    expect(ago()).toBe(5000);
  });

  test('is told of a new key, whatever the clock was set by', () => {
    for (const ms of [-hourMs, -20_000, 20_000, hourMs]) {
      const { clock, type, ago, setBy } = open();
      type();
      clock.pass(10_000);
      ago();
      type();
      setBy(ms);
      clock.pass(1000);
      // Between the two looks, 1 s apart, and no earlier.
      expect([ms, ago() <= 1000]).toEqual([ms, true]);
      clock.pass(4000);
      expect([ms, ago() >= 4000]).toEqual([ms, true]);
      type();
      expect([ms, ago() < 1000]).toEqual([ms, true]);
    }
  });

  test('is not later because somebody left, who had pressed nothing', () => {
    const { clock, times } = open();
    const typingStamp = '$1.100';
    const second = Math.floor(clock.now() / 1000);
    times.read({ typingStamp, humanKeyAt: second });
    clock.pass(60_000);
    const known = times.read({ typingStamp, humanKeyAt: second });
    expect(times.read({ typingStamp, humanKeyAt: second - 500 })).toBe(known);
  });

  test('is told of another person’s key that a stamp of the future hides', () => {
    const { clock, type, ago, setBy } = open();
    type('$1');
    clock.pass(10_000);
    ago();
    setBy(-hourMs);
    clock.pass(10_000);
    expect(ago()).toBe(19_001);
    type('$2');
    expect(ago()).toBe(0);
  });
});
