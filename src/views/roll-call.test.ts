import { expect, test } from 'vitest';
import { agentOf } from '../../test/support/page-world.ts';
import type { FeedItem } from '../protocol/page.ts';
import { RollCall } from './roll-call.ts';

const attention: FeedItem = { kind: 'attention', cursor: 7, attention: { items: [] } };
const agent = (name: string): FeedItem => ({ kind: 'agent', cursor: 7, agent: agentOf(name) });

test('whom the feed does not name after a reconnect was removed meanwhile', () => {
  const roll = new RollCall();
  roll.begin();
  const known = ['agt_a', 'agt_b', 'agt_c'];
  expect(roll.take([agent('a')], known)).toEqual([agent('a')]);
  expect(roll.take([agent('c'), attention], known)).toEqual([
    agent('c'),
    attention,
    { kind: 'agent-gone', cursor: 7, id: 'agt_b' },
  ]);
});

test('outside of a roll call nobody is missed', () => {
  const roll = new RollCall();
  expect(roll.take([attention], ['agt_a'])).toEqual([attention]);
  roll.begin();
  roll.take([attention], []);
  expect(roll.take([attention], ['agt_a'])).toEqual([attention]);
});
