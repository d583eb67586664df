import { describe, expect, test } from 'vitest';
import { readStartTime } from '../../src/shared/processes.ts';
import { openPerson } from '../support/person.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.skipIf(!hasTmux)('rule 48: a daemon that hangs', () => {
  test('is named on a terminal, with what helps; a script waits in silence', async () => {
    const station = await openStation();
    await station.launch('worker');
    const { pid } = station.daemon();
    const pidOfWorker = await station.pid('worker');
    const person = await openPerson(station.home);
    process.kill(pid, 'SIGSTOP');
    // Each waits for 10 s.
    const [silent, shown] = await Promise.all([station.run(['ls', '--json']), person.type(['ls'])]);
    process.kill(pid, 'SIGCONT');
    const waits = `Waiting for the daemon (pid ${pid}), which does not answer, for 10 s at most.`;
    expect(shown.screen).toContain(waits);
    expect(shown.screen).toContain('`signalbox down` ends it; agents live on.');
    expect(silent.stderr).not.toContain('Waiting');
    expect(readStartTime(pidOfWorker)).toBeDefined();
  });
});
