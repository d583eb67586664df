import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import type { MessageView } from '../../src/protocol/messages.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

describe.runIf(hasTmux)('run-task and the daemon', () => {
  test('the completion is carried into a running parent, also when no daemon runs at its end', async () => {
    const station = await openStation();
    await station.launch('lead');
    await station.run(['run-task', '--parent', 'lead', '--title', 'one', '--', 'true']);
    await untilCarried(station, 1);
    await station.killDaemon();
    const ended = await station.run([
      'run-task',
      '--parent',
      'lead',
      '--title',
      'two',
      '--',
      'true',
    ]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    await untilCarried(station, 2);
  });

  test('rule 32: a daemon that starts tells the end of a wrapper that was killed', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const held = await station.hold('run-task.noted', ['run-task', '--', 'true']);
    await held.kill();
    await station.run(['up']);
    const options = { clock: systemClock, lockWaitMs: 5000 };
    const ledger = await openSqliteLedger(join(station.home, 'ledger.db'), options);
    try {
      const wanted = { to: userAgentId, states: ['queued'], limit: 10 } as const;
      const told = await waitUntil('the end', async () => {
        return (await ledger.read((tx) => tx.messages.list(wanted)))[0];
      });
      expect(told).toMatchObject({ outcome: 'unknown' });
    } finally {
      await ledger.close();
    }
  });
});

async function untilCarried(station: Station, count: number): Promise<void> {
  await waitUntil('the completion in its conversation', async () => {
    const { messages } = await station.list('lead', ['injected', 'seen', 'acked']);
    return messages.filter(({ kind }: MessageView) => kind === 'completion').length === count;
  });
}
