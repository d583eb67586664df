import { expect } from 'vitest';
import type { SendResult } from '../../src/protocol/messages.ts';
import { launchClaude, untilSeen } from './fixtures/living-claude.ts';
import { inEveryPlace } from './fixtures/places.ts';
import { sendAndDie } from './fixtures/send-and-die.ts';
import { openStation, type Station } from './fixtures/station.ts';

async function send(station: Station, body: string): Promise<string> {
  return (await station.ask<SendResult>('send', 'worker', body)).id;
}

inEveryPlace('B16: delivered with proof, through the composed daemon', ({ test }, place) => {
  test('at rest by its waiting hook, at work at the turn’s boundary, once each; also after kill -9', async () => {
    const station = await openStation({ place });
    const claude = await launchClaude(station, 'worker');
    const bodies = ['into its rest', 'into its work', 'to the next daemon', 'and its boundary'];
    const carried = async (id: string) => (await untilSeen(station, id)).attempts;
    for (const [rest, work] of [bodies.slice(0, 2), bodies.slice(2)]) {
      expect(await carried(await send(station, rest ?? ''))).toMatchObject([{ route: 'native' }]);
      await station.untilStatus('worker', 'completed');
      await claude.prompts();
      const id = await send(station, work ?? '');
      await claude.ends();
      expect(await carried(id)).toMatchObject([{ route: 'turn-boundary' }]);
      await station.untilStatus('worker', 'completed');
      await station.killDaemon();
      await station.ask('up');
    }
    expect(bodies.map(claude.copies)).toEqual([1, 1, 1, 1]);
    expect(await station.agent('worker')).toMatchObject({ epoch: 1 });
  });

  test('rules 3, 8, 10: a daemon killed with its claim on disk: the next one delivers, once', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    const claude = await launchClaude(station, 'worker');
    await station.ask('down');
    const env = { SIGNALBOX_FAILPOINTS: 'deliver.claimed=kill' };
    expect((await station.run(['up'], { env })).code).toBe(0);
    await station.untilStatus('worker', 'idle');
    const id = await sendAndDie(station, 'worker', 'through its death');
    expect(claude.copies('through its death')).toBe(0);
    await station.ask('up');
    await untilSeen(station, id);
    expect(claude.copies('through its death')).toBe(1);
  });
});
