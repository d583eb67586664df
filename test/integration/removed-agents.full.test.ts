import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Station } from '../../bench/terminals/station.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux } from './fixtures/station.ts';

const passerBy = {
  command: ['sh', '-c', 'printf ": "; exec cat > /dev/null'],
  rows: 3,
  idle: ['^:'],
};
const agents = 40;
/** More than the bus keeps for those who come back. */
const events = 2600;
/**
 * The last ones may stand in something that is overwritten by the next, such as the last match of a
 * regular expression.
 */
const leftovers = 3;

test.skipIf(!hasTmux)(
  'the daemon keeps nothing of agents that were removed: no string on its heap names them',
  async () => {
    const station = new Station(tempHome(), {
      isBare: true,
      preload: resolve('test/integration/fixtures/heap-words.cjs'),
      providers: { 'passer-by': passerBy },
    });
    onTestFinished(() => station.close());
    await station.start();
    const stays = await station.launchProgram('stays', 'passer-by', {});
    const gone = await Promise.all(
      Array.from({ length: agents }, async (_, n) => {
        const id = await station.launchProgram(`gone-${n}`, 'passer-by', {});
        await station.ask('POST', '/messages', { to: id, body: 'hello' });
        await station.ask('DELETE', `/agents/${id}`);
        return id;
      }),
    );
    await fillRing(station, stays);
    const words = await readHeap(station);
    // It can be found at all.
    expect(words.some((word) => word.includes(stays))).toBe(true);
    const kept = gone.filter((id) => words.some((word) => word.includes(id)));
    expect(kept.length).toBeLessThanOrEqual(leftovers);
  },
);

/** What the daemon remembers for a while, by design, is pushed out by what comes later. */
async function fillRing(station: Station, to: string): Promise<void> {
  for (let sent = 0; sent < events; sent += 100) {
    const some = Array.from({ length: 100 }, () =>
      station.ask('POST', '/messages', { to, body: 'x' }),
    );
    await Promise.all(some);
  }
}

async function readHeap(station: Station): Promise<readonly string[]> {
  const path = join(station.home, 'report.json.heap');
  rmSync(path, { force: true });
  process.kill(station.pid, 'SIGUSR2');
  await waitUntil('a snapshot of the heap', () => existsSync(path));
  return (JSON.parse(readFileSync(path, 'utf8')) as { strings: string[] }).strings;
}
