import { expect, test } from 'vitest';
import { createPuller } from '../../agents/agent.ts';
import { systemClock } from '../../shared/clock.ts';
import { HandOvers } from '../hand-overs.ts';
import { Calls } from './calls.ts';
import { Exchange } from './exchange.ts';

test('of agents that were removed no call is remembered, whether its answer was taken or not', async () => {
  const removed = new Set<string>();
  const calls = new Calls(
    systemClock,
    async () => false,
    async (agent) => !removed.has(agent),
  );
  const handOvers = new HandOvers(systemClock, () => undefined);
  const call = async (id: string): Promise<void> => {
    const caller = { ...createPuller(id, 0), name: id, session: 's', notify: false, cwd: '/' };
    const exchange = new Exchange(
      {
        ...{ caller, isWoken: true, isConfirmed: false, way: { proxy: 'p' } },
        ...{ requests: ['1'], cameAtMs: 0 },
      },
      { calls, handOvers, untake: async () => undefined },
    );
    calls.open(exchange);
    await exchange.carry({ finish: async () => undefined, lose: async () => undefined });
    await exchange.finish();
  };
  await call('agt_stays');
  for (let n = 0; n < 100; n++) {
    await call(`agt_${n}`);
    removed.add(`agt_${n}`);
  }
  await call('agt_last');
  await expect.poll(() => calls.size).toBe(2);
});
