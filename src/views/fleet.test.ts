import { expect, test } from 'vitest';
import { agentOf, ago, nameOf, userName, worldOf } from '../../test/support/page-world.ts';
import type { AgentView } from '../protocol/agents.ts';
import { listRemarks, viewFleet } from './fleet.ts';

test('children stand below their parents, with rails for the levels above, and the user stands nowhere', () => {
  const world = worldOf({
    agents: [
      agentOf('user', userName),
      agentOf('tester', { parent: nameOf('worker') }),
      agentOf('worker', { parent: nameOf('lead') }),
      agentOf('zeta', { parent: nameOf('lead') }),
      agentOf('lead'),
    ],
  });
  expect(draw(world)).toEqual(['# shop 4', 'lead', '├ worker', '│ └ tester', '└ zeta']);
});

test('who needs a person comes first, with all above it, and so does its session', () => {
  const world = worldOf({
    agents: [
      agentOf('a', { session: 'alpha' }),
      agentOf('b1', { session: 'beta' }),
      agentOf('b2', { session: 'beta' }),
      agentOf('b3', { session: 'beta', parent: nameOf('b2', 'beta') }),
      agentOf('b4', { session: 'beta', parent: nameOf('b2', 'beta'), status: 'waiting' }),
    ],
  });
  expect(draw(world)).toEqual(['# beta 4 !1', 'b2', '├ b4', '└ b3', 'b1', '# alpha 1', 'a']);
});

test('a failed agent and one that cannot be woken need a person as the daemon says', () => {
  const items = [
    { kind: 'failed', agent: nameOf('b'), since: ago(5), text: '', next: '' },
  ] as const;
  const agents = [agentOf('a'), agentOf('b', { status: 'error' })];
  const world = worldOf({ agents, attention: { items } });
  expect(draw(world)).toEqual(['# shop 2 !1', 'b', 'a']);
});

test('a child of an agent in another session, or of one that is gone, stands at the top of its own', () => {
  const world = worldOf({
    agents: [
      agentOf('lead', { session: 'one' }),
      agentOf('child', { session: 'two', parent: nameOf('lead', 'one') }),
      agentOf('orphan', { session: 'two', parent: nameOf('gone', 'two') }),
    ],
  });
  expect(draw(world)).toEqual(['# one 1', 'lead', '# two 2', 'child', 'orphan']);
});

test('a ring of parents, which a damaged ledger may hold, hides nobody and ends', () => {
  const agents = [agentOf('a', { parent: nameOf('b') }), agentOf('b', { parent: nameOf('a') })];
  expect(draw(worldOf({ agents }))).toContain('a');
  expect(draw(worldOf({ agents: [agentOf('c', { parent: nameOf('c') })] }))).toContain('c');
});

test('a filter keeps what it names, and what stands above that as context', () => {
  const world = worldOf({
    agents: [
      agentOf('lead'),
      agentOf('worker', { parent: nameOf('lead'), provider: 'codex' }),
      agentOf('other'),
    ],
  });
  const rows = viewFleet(world, 'CODEX shop/w');
  expect(rows.map((row) => [row.id, row.kind === 'agent' && row.isContext])).toEqual([
    ['session:shop', false],
    ['agt_lead', true],
    ['agt_worker', false],
  ]);
  expect(viewFleet(world, 'nobody')).toEqual([]);
});

test('remarks tell the most pressing first, and nothing of an agent that is well', () => {
  expect(listRemarks(agentOf('a'))).toEqual([]);
  const inbox = { queued: 3, claimed: 1, injected: 1, uncertain: 2, dead: 1 };
  const owes = [{ task: 'msg_1', to: nameOf('lead'), since: ago(9) }];
  const told = listRemarks(agentOf('a', { inbox, owes, broken: 'gone' })).map(({ text }) => text);
  expect(told).toEqual([
    'cannot be woken',
    '1 dead',
    '2 uncertain',
    '3 queued',
    '2 on the way',
    'owes 1',
  ]);
});

test('300 agents in a deep tree are each one row', () => {
  const agents = Array.from({ length: 300 }, (_, i): AgentView => {
    const parent = i === 0 ? {} : { parent: nameOf(`a${Math.floor((i - 1) / 3)}`) };
    return agentOf(`a${i}`, { ...parent, status: i % 50 === 7 ? 'waiting' : 'processing' });
  });
  const rows = viewFleet(worldOf({ agents }));
  expect(rows).toHaveLength(301);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(301);
});

/** As a person sees it. */
function draw(world: Parameters<typeof viewFleet>[0]): readonly string[] {
  return viewFleet(world).map((row) => {
    if (row.kind === 'session') {
      return `# ${row.name} ${row.agents}${row.needing > 0 ? ` !${row.needing}` : ''}`;
    }
    const rails = row.rails.slice(1).map((goesOn) => (goesOn ? '│ ' : '  '));
    const branch = row.level === 1 ? '' : row.isLast ? '└ ' : '├ ';
    return `${rails.join('')}${branch}${row.name}`;
  });
}
