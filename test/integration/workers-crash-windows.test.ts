import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MessageState } from '../../src/messages/message.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const patienceMs = 120_000;
const came: readonly MessageState[] = ['queued', 'injected', 'seen', 'acked', 'uncertain'];

/** A daemon that stops or dies at these places; agents live on meanwhile. */
async function upWith(station: Station, points: string, folder = ''): Promise<void> {
  await station.ask('down');
  const env = { SIGNALBOX_FAILPOINTS: points, SIGNALBOX_FAILPOINT_DIR: folder };
  expect((await station.run(['up'], { env })).code).toBe(0);
}

const handOff = (station: Station) =>
  station.run(['handoff', 'scripted', 'Go @@say one', '--name', 'worker']);

/** Resolves when the answer is there, and fails if it is there twice. */
async function untilAnswered(station: Station, word: string): Promise<void> {
  const find = async () => {
    const { messages } = await station.list('user', came);
    return messages.filter(({ body }) => body === word);
  };
  await waitUntil(
    `the answer ${word}`,
    async () => {
      // Whoever looks starts a daemon where the last one died.
      await station.agent('worker');
      return (await find()).length > 0;
    },
    patienceMs,
  );
  expect(await find()).toHaveLength(1);
}

async function untilDead(station: Station, pid: number): Promise<void> {
  await waitUntil('the end of the daemon', async () => !existsSync(`/proc/${pid}`), patienceMs);
  expect(station.daemon().pid).toBe(pid);
}

describe.runIf(hasTmux)('windows in the end of a worker, and in its coming back', () => {
  test('rule 55: a task at the very moment of the end brings the worker back, and it answers', async () => {
    const station = await openStation();
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-hold-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const peer = await station.launch('peer');
    await upWith(station, 'worker.marked=hold', folder);
    expect((await handOff(station)).stdout).toBe('one\n');
    const mark = await waitUntil('the mark', async () => readdirSync(folder)[0], patienceMs);
    const refused = await station.runAs(peer.id, ['assign', 'worker', 'Mine', '--json']);
    expect(refused.code).toBe(5);
    const given = await station.ask('assign', 'worker', 'Go @@say two');
    expect(given).toMatchObject({ broughtBack: true, launched: false });
    rmSync(join(folder, mark));
    await untilAnswered(station, 'two');
    expect((await station.agent('worker')).epoch).toBe(2);
  });

  test('rule 55: killed between the mark and the end, the worker goes on, gets what was sent, and ends later', async () => {
    const station = await openStation();
    await station.ask('up');
    await upWith(station, 'worker.marked=kill');
    const { pid } = station.daemon();
    await handOff(station);
    await untilDead(station, pid);
    const sent = await station.send('worker', 'Go @@say two');
    await waitUntil(
      'the message',
      async () => {
        await station.agent('worker');
        const { messages } = await station.list('worker', ['injected', 'seen', 'acked']);
        return messages.some(({ id }) => id === sent);
      },
      patienceMs,
    );
    expect((await station.agent('worker')).epoch).toBe(1);
    await station.drain('user');
    expect(await station.untilStatus('worker', 'exited')).toMatchObject({ endedBy: 'task' });
  });

  test('rule 55: killed when its processes have ended, what was sent meanwhile brings it back', async () => {
    const station = await openStation();
    await station.ask('up');
    await upWith(station, 'stop.ended=kill');
    const { pid } = station.daemon();
    await handOff(station);
    await untilDead(station, pid);
    const sent = await station.send('worker', 'Go @@say two');
    await station.until('worker', ({ epoch }) => epoch === 2, 'its next life');
    await waitUntil(
      'the message',
      async () => {
        const { messages } = await station.list('worker', ['injected', 'seen', 'acked']);
        return messages.some(({ id }) => id === sent);
      },
      patienceMs,
    );
  });

  const windows = ['restart.stopped', 'launch.noted', 'launch.started'] as const;
  test.each(windows)(
    'rules 4, 55: a daemon killed at %s while a worker comes back: the next one brings it back, once',
    async (place) => {
      const station = await openStation();
      expect((await handOff(station)).stdout).toBe('one\n');
      await station.untilStatus('worker', 'exited');
      await upWith(station, `${place}=kill`);
      const { pid } = station.daemon();
      // Whether it was answered or not: the key tells both that it was given once.
      await station.run(['assign', 'worker', 'Go @@say two', '--key', 'k1']);
      await untilDead(station, pid);
      const again = await station.ask('assign', 'worker', 'Go @@say two', '--key', 'k1');
      expect(again).toMatchObject({ duplicate: true });
      await untilAnswered(station, 'two');
      const { status, endedBy, epoch } = await station.agent('worker');
      expect([status === 'exited', endedBy, epoch > 1]).toEqual([false, undefined, true]);
      expect(new Set(await station.terminals()).size).toBe(1);
    },
  );
});
