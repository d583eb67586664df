import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import type { News } from './link.ts';
import { OutputRelay } from './output-relay.ts';

test('a life that is over is watched no more, whoever knows its pane; the next life of the agent is', async () => {
  const heard: News[] = [];
  const relay = new OutputRelay((news) => {
    heard.push(news);
    relay.taken();
  });
  const logPath = join(tempHome(), 'agent.log');
  relay.watch('%1', { agent: 'agt_1', epoch: 1, logPath });
  relay.watch('%2', { agent: 'agt_1', epoch: 2, logPath });
  relay.unwatch({ agent: 'agt_1', epoch: 1 });
  relay.output('%1', Buffer.from('of nobody'));
  relay.output('%2', Buffer.from('ok'));
  await expect.poll(() => heard.flatMap(({ outputs }) => outputs)).toEqual([['agt_1', 2]]);
  await relay.close();
});
