import { describe, expect, test } from 'vitest';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.skipIf(!hasTmux)('a daemon that is killed in the middle of a stop', () => {
  test('B4: the next one records the stop, and `restart --all` leaves the agent alone', async () => {
    const station = await openStation();
    await station.launch('worker');
    await station.ask('down');
    const env = { SIGNALBOX_FAILPOINTS: 'stop.ended=kill' };
    expect((await station.run(['up'], { env })).code).toBe(0);
    await station.untilStatus('worker', 'idle');
    expect((await station.run(['stop', 'worker'])).code).not.toBe(0);
    expect((await station.untilStatus('worker', 'exited')).detail).toBe('stopped');
    expect(await station.ask('restart', '--all')).toMatchObject({
      agents: [],
      skipped: [{ name: 'worker', why: 'it was stopped' }],
    });
  });
});
