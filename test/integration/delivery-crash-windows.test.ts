import { describe, expect, test } from 'vitest';
import { steadyMs } from '../../src/delivery/routes/judge-look.ts';
import type { Explanation, SendResult } from '../../src/protocol/messages.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { sendAndDie } from './fixtures/send-and-die.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const patienceMs = 120_000;

/**
 * An agent at rest, and everything its program reads from its terminal; the daemon is one that dies
 * at `place`.
 */
async function openAt(place: string) {
  const station = await openStation();
  const { control } = await station.launch('worker');
  const read: Buffer[] = [];
  await control.watchInput((bytes) => read.push(bytes));
  await station.ask('down');
  const env = { SIGNALBOX_FAILPOINTS: `${place}=kill` };
  expect((await station.run(['up'], { env })).code).toBe(0);
  await station.until('worker', ({ composer }) => composer === 'empty', 'an empty composer');
  // From that look on, so that the terminal has stood still for long enough.
  await systemClock.sleep(steadyMs + 50);
  const received = (): string => Buffer.concat(read).toString();
  return { station, control, received };
}

const sent = 'Build the API';
const path = ({ history }: Explanation) => history.map(({ to }) => to);
const copies = (text: string): number => text.split(sent).length - 1;

/**
 * The next daemon, without fail-points; resolves when the message has been through this many
 * states.
 */
async function recover(station: Station, id: string, states: readonly string[]) {
  await station.ask('up');
  return waitUntil(
    `${id} ${states.join(' ')}`,
    async () => {
      const told = await station.explain(id);
      if (path(told).join(' ') === states.join(' ')) return told;
      if (path(told).length > states.length) throw new Error(path(told).join(' '));
      return undefined;
    },
    patienceMs,
  );
}

describe.runIf(hasTmux)('a daemon killed with -9 in the middle of a delivery', () => {
  // A terminal that stands still is claimed with the word that the act begins.
  test.each(sweepList(['deliver.claimed', 'deliver.begun']))(
    'rules 8, 10, 12: %s, and nobody knows: one more copy, which says that it may be a repeat',
    async (place) => {
      const { station, received } = await openAt(place);
      const id = await sendAndDie(station, 'worker', sent);
      expect(copies(received())).toBe(0);
      await recover(station, id, [
        ...['queued', 'claimed', 'uncertain', 'queued', 'claimed', 'injected'],
      ]);
      await untilRead(received, 1);
      expect(received()).toContain('MAY BE A REPEAT');
    },
  );

  test('rule 12: pasted and not entered: finished with Enter, one copy', async () => {
    const { station, received } = await openAt('paste.pasted');
    const id = await sendAndDie(station, 'worker', sent);
    await untilRead(received, 1);
    expect(received()).not.toMatch(/\r$/);
    const told = await recover(station, id, ['queued', 'claimed', 'uncertain', 'injected']);
    expect(told.history.at(-1)?.code).toBe('held');
    await waitUntil('Enter', () => received().endsWith('\r'), patienceMs);
    expect(copies(received())).toBe(1);
    await station.until('worker', ({ composer }) => composer === 'empty', 'an empty composer');
  });

  test('rule 12: a draft of a person behind what was pasted is not sent', {
    tags: ['full'],
  }, async () => {
    const { station, received } = await openAt('paste.pasted');
    const { pane } = await station.pane('worker');
    const id = await sendAndDie(station, 'worker', sent);
    await untilRead(received, 1);
    await station.tmux('send-keys', '-t', pane, '-l', ' and mine');
    await recover(station, id, ['queued', 'claimed', 'uncertain', 'queued']);
    await waitUntil('it waits', async () => {
      const { waitsForCode } = await station.ask<Explanation>('explain', id);
      return waitsForCode === 'composer-unproven';
    });
    expect(copies(received())).toBe(1);
    expect(received()).toMatch(/ and mine$/);
  });

  test.each(sweepList(['paste.entered', 'deliver.acted']))(
    'rules 8, 10: %s: sent and not written down: a second copy, which says that it may be a repeat',
    { tags: ['full'] },
    async (place) => {
      const { station, received } = await openAt(place);
      const id = await sendAndDie(station, 'worker', sent);
      await untilRead(received, 1);
      expect(received()).not.toContain('MAY BE A REPEAT');
      await recover(station, id, [
        ...['queued', 'claimed', 'uncertain', 'queued', 'claimed', 'injected'],
      ]);
      await untilRead(received, 2);
      expect(received().split('MAY BE A REPEAT')).toHaveLength(2);
    },
  );

  test('rule 8: written down as injected it is the end: the next daemon says nothing again', {
    tags: ['full'],
  }, async () => {
    const { station, received } = await openAt('deliver.injected');
    const id = await sendAndDie(station, 'worker', sent);
    await untilRead(received, 1);
    await recover(station, id, ['queued', 'claimed', 'injected']);
    // Something after it has been carried, so the inbox was looked at; and with it came nothing of
    // the first.
    const { id: next } = await station.ask<SendResult>('send', 'worker', 'The next one');
    await waitUntil('the next', async () =>
      (await station.explain(next)).message.state === 'injected' ? true : undefined,
    );
    await waitUntil('its text', () => received().includes('The next one'), patienceMs);
    expect(copies(received())).toBe(1);
    expect(path(await station.explain(id))).toEqual(['queued', 'claimed', 'injected']);
  });
});

async function untilRead(received: () => string, count: number): Promise<void> {
  await waitUntil(`copy ${count}`, () => copies(received()) >= count, patienceMs);
  expect(copies(received())).toBe(count);
}
