import { expect, test } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { sightTerminals } from './sights.ts';

test('a helper whose agent is only just being launched is no pane that died half-way', async () => {
  let looks = 0;
  const helper = {
    ...{ pane: '%1', window: '@1', sessions: ['$1'], pid: process.pid, isDead: false },
    ...{ exitCode: undefined, exitSignal: undefined, agent: '', helper: 'agt_1', epoch: 1 },
    ...{ startedPid: process.pid, startedAt: '', logPath: '', isNoted: false, title: '' },
    ...{ ownSize: '', windowSize: '' },
  };
  const connection = {
    listPanes: async () => {
      looks++;
      return [helper];
    },
    server: () => ({ id: '1:1', hub: 'hub' }),
  };
  const { sights } = await sightTerminals(connection as never, systemClock);
  expect(sights).toMatchObject([{ terminal: { agent: 'agt_1' }, isHelpersOnly: true }]);
  // More of them would end with a SIGCHLD to the server.
  expect(looks).toBe(1);
});
