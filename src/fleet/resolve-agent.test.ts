import { expect, test } from 'vitest';
import { createUser } from '../agents/agent.ts';
import { systemClock } from '../shared/clock.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { add } from './add.ts';
import { resolveAgent } from './resolve-agent.ts';

test('the folder is asked for only where several agents have a name and none of them is near', async () => {
  const ledger = new MemoryLedger();
  const wanted = { notify: true, cwd: '/srv' };
  const shop = await add(ledger, systemClock, { ...wanted, name: 'lead', session: 'shop' });
  let looks = 0;
  const find = (name: string, agent = createUser(0)) => {
    const from = {
      agent,
      // Whoever does not ask for it cannot look at the disk.
      get folder() {
        looks++;
        return '/nowhere';
      },
    };
    return ledger.read((tx) => resolveAgent(tx, name, from));
  };
  await find('lead');
  await add(ledger, systemClock, { ...wanted, name: 'lead', session: 'blog' });
  await find('shop/lead');
  await find('lead', shop);
  await find(shop.id);
  await expect(find('nobody')).rejects.toMatchObject({ code: 'agent-not-found' });
  expect(looks).toBe(0);
  await expect(find('lead')).rejects.toMatchObject({ code: 'name-ambiguous' });
  expect(looks).toBe(1);
});
