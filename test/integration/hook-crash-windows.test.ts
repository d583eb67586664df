import { expect } from 'vitest';
import { readStartTime } from '../../src/shared/processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hookedPlaces, launchHooked, untilState } from './fixtures/hooked-agent.ts';
import { inPlaces } from './fixtures/places.ts';
import type { Station } from './fixtures/station.ts';

const silence = { code: 0, stdout: '', stderr: '' };

async function path(station: Station, id: string): Promise<readonly string[]> {
  return (await station.explain(id)).history.map(({ to }) => to);
}

async function untilDead(station: Station): Promise<void> {
  const { pid, startedAt } = station.daemon();
  await waitUntil('the daemon dies', () => readStartTime(pid) !== startedAt);
}

inPlaces(
  hookedPlaces,
  'a hook of a turn’s end, asked and answered in two steps',
  ({ test }, place) => {
    test('O1, O7, rule 16: it is printed once, after it was confirmed', async () => {
      const { station, says, stop } = await launchHooked(place);
      says('busy');
      await station.untilStatus('worker', 'processing');
      const id = await station.send('worker', 'Build the API');
      const { code, stdout } = await stop('turn-1');
      expect(code).toBe(0);
      expect(stdout.split('Build the API')).toHaveLength(2);
      expect(await path(station, id)).toEqual(['queued', 'claimed', 'injected']);
      expect(await stop('turn-1')).toMatchObject(silence);
    });

    test('rules 3, 10, 16: the daemon dies before the hook has confirmed: nothing printed, nothing lost, said once', {
      tags: ['full'],
    }, async () => {
      const { station, says, stop, stopHeld } = await launchHooked(place);
      says('busy');
      await station.untilStatus('worker', 'processing');
      const id = await station.send('worker', 'Build the API');
      const held = await stopHeld('turn-1');
      expect(await path(station, id)).toEqual(['queued', 'claimed']);
      await station.killDaemon();
      expect(await held.release()).toMatchObject(silence);
      await station.ask('up');
      await untilState(station, id, 'queued');
      expect(await path(station, id)).toEqual(['queued', 'claimed', 'uncertain', 'queued']);
      await station.untilStatus('worker', 'processing');
      const { stdout } = await stop('turn-2');
      expect(stdout.split('Build the API')).toHaveLength(2);
      expect(stdout).not.toContain('MAY BE A REPEAT');
      expect(await path(station, id)).toEqual([
        ...['queued', 'claimed', 'uncertain', 'queued', 'claimed', 'injected'],
      ]);
    });

    test('rules 11, 16: the daemon dies with its confirmation on disk: the hook prints nothing, and rest proves that', {
      tags: ['full'],
    }, async () => {
      const { station, says, stop } = await launchHooked(place);
      says('busy');
      await station.ask('down');
      const env = { SIGNALBOX_FAILPOINTS: 'deliver.injected=kill' };
      expect((await station.run(['up'], { env })).code).toBe(0);
      await station.untilStatus('worker', 'processing');
      const id = await station.send('worker', 'Build the API');
      expect(await stop('turn-1')).toMatchObject(silence);
      await untilDead(station);
      expect(await path(station, id)).toEqual(['queued', 'claimed', 'injected']);
      says('idle');
      await station.ask('up');
      await untilState(station, id, 'queued');
      const told = await station.explain(id);
      expect(told.history.map(({ to }) => to)).toEqual(['queued', 'claimed', 'injected', 'queued']);
      expect(told.history.at(-1)?.code).toBe('not-landed');
      says('busy');
      await station.untilStatus('worker', 'processing');
      const { stdout } = await stop('turn-2');
      expect(stdout.split('Build the API')).toHaveLength(2);
      expect(stdout).not.toContain('MAY BE A REPEAT');
    });

    test('rule 16: a hook killed before it has confirmed leaves its message queued, within seconds', async () => {
      const { station, says, stop, stopHeld } = await launchHooked(place);
      says('busy');
      await station.untilStatus('worker', 'processing');
      const id = await station.send('worker', 'Build the API');
      const held = await stopHeld('turn-1');
      expect((await held.kill()).stdout).toBe('');
      await untilState(station, id, 'queued');
      expect(await path(station, id)).toEqual(['queued', 'claimed', 'queued']);
      const { attempts } = await station.explain(id);
      expect(attempts).toMatchObject([{ outcome: 'abandoned' }]);
      const { stdout } = await stop('turn-2');
      expect(stdout.split('Build the API')).toHaveLength(2);
      expect(stdout).not.toContain('MAY BE A REPEAT');
    });

    test('rule 16: a hook that confirms too late is refused, and prints nothing', {
      tags: ['full'],
    }, async () => {
      const { station, says, stopHeld } = await launchHooked(place);
      says('busy');
      await station.untilStatus('worker', 'processing');
      const id = await station.send('worker', 'Build the API');
      const held = await stopHeld('turn-1');
      await untilState(station, id, 'queued');
      expect(await held.release()).toMatchObject(silence);
      expect((await station.explain(id)).message.state).toBe('queued');
    });
  },
);
