import { expect, test } from 'vitest';
import { userAgentId } from '../agents/agent.ts';
import type { AgentView } from '../protocol/agents.ts';
import { cellWidth } from '../shared/cell-width.ts';
import { type ListSight, layOutAgents } from './ls-layout.ts';

const now = Date.parse('2026-11-18T12:00:00Z');
const empty = { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 };

function agent(name: string, more: Partial<AgentView> = {}): AgentView {
  return {
    ...{ id: `agt_${name}`, name, session: 'shop', provider: 'claude-code', backend: 'tmux' },
    ...{ epoch: 1, status: 'idle', source: 'screen', cwd: '/work', inbox: empty },
    since: new Date(now - 90_000).toISOString(),
    ...more,
  };
}

const below = (parent: string) => ({ parent: { id: `agt_${parent}`, name: parent } });
const user = agent('user', { id: userAgentId, session: 'default', backend: 'none' });

function layOut(agents: readonly AgentView[], more: Partial<ListSight> = {}): readonly string[] {
  const where = { session: undefined, here: undefined };
  const sight = { agents: [user, ...agents], ...where, own: userAgentId, now };
  return layOutAgents({ ...sight, columns: 80, ...more }, (_, text) => text);
}

test('rule 48: ls is a tree with status, age and debts; whoever waits comes first, with its question', () => {
  const owes = [
    { task: 'msg_1', to: { id: 'agt_lead', name: 'lead' }, about: 'Write the tests', since: '' },
  ];
  const asking = { status: 'waiting', detail: 'permission', question: 'Proceed? make' } as const;
  expect(
    layOut([
      agent('lead', { status: 'processing', inbox: { ...empty, queued: 2 } }),
      agent('tester', { ...below('lead'), status: 'processing', owes }),
      agent('coder', { ...below('lead'), ...asking }),
      agent('checker', { ...below('coder'), status: 'exited', detail: 'exit 1' }),
    ]),
  ).toEqual([
    'lead         processing      1m  2 queued',
    '├ coder      waiting         1m',
    '│ │   asks: Proceed? make → signalbox attach coder',
    '│ └ checker  exited: exit 1  1m  → signalbox restart checker',
    '└ tester     processing      1m  owes lead: Write the tests',
    'your inbox is empty',
  ]);
});

test('what brings back an agent that does not run stands below it where there is no room beside it', () => {
  const stopped = agent('checker', { status: 'exited', detail: 'stopped' });
  expect(layOut([stopped], { columns: 40 })).toEqual([
    'checker  exited: stopped  1m',
    '    → signalbox restart checker',
    'your inbox is empty',
  ]);
});

test('other sessions have a line each, and none of their agents that waits is hidden', () => {
  const lines = layOut(
    [
      agent('lead'),
      agent('a', { session: 'blog' }),
      agent('b', { session: 'blog', status: 'waiting', detail: 'trust' }),
    ],
    { session: 'shop' },
  );
  expect(lines).toEqual([
    'shop',
    'lead  idle  1m',
    'blog: 1 waiting, 1 idle → signalbox ls --session blog',
    '  b asks: trust this folder? → signalbox attach b',
    'your inbox is empty',
  ]);
  expect(layOut([agent('lead')], { session: 'nothing' })[0]).toBe('no agents in session nothing');
});

test('agents of one name are written in full, but for those of the session in which the reader stands', () => {
  const twins = { namesakes: true, status: 'waiting', detail: 'trust' } as const;
  const shop = agent('lead', twins);
  const blog = agent('lead', { ...twins, id: 'agt_other', session: 'blog' });
  const lines = layOut([shop, blog, agent('docs')], { here: 'shop' });
  expect(lines).toEqual([
    ...[
      'blog',
      'blog/lead  waiting  1m',
      '    asks: trust this folder? → signalbox attach blog/lead',
    ],
    ...[
      'shop',
      'lead       waiting  1m',
      '    asks: trust this folder? → signalbox attach shop/lead',
    ],
    ...['docs       idle     1m', 'your inbox is empty'],
  ]);
});

test('in a narrow terminal a command line is never cut for what stands before it', () => {
  const asking = { status: 'waiting', question: 'Do you want to proceed? make all' } as const;
  const owes = [
    { task: 'msg_1', to: { id: 'agt_lead', name: 'lead' }, about: 'Write the tests', since: '' },
  ];
  const lines = layOut(
    [
      agent('lead', asking),
      agent('a-worker-with-a-long-name', { ...below('lead'), status: 'processing', owes }),
      agent('other', { ...asking, session: 'blog' }),
      agent('pull-1', { session: 'blog', backend: 'none', status: 'unknown' }),
      agent('pull-2', { session: 'blog', backend: 'none', status: 'unknown' }),
    ],
    { session: 'shop', columns: 46 },
  );
  expect(lines).toEqual([
    'shop',
    'lead                  waiting     1m',
    '│   asks: Do you want to proceed? make all',
    '│   → signalbox attach lead',
    '└ a-worker-with-a-l…  processing  1m',
    '      owes lead: Write the tests',
    'blog: 1 waiting… → signalbox ls --session blog',
    '  other asks: Do you want to proceed? make all',
    '        → signalbox attach other',
    'your inbox is empty',
  ]);
});

test('your own inbox is the last line, with what waits in it', () => {
  const full = { ...user, inbox: { ...empty, queued: 2, uncertain: 1, dead: 1 } };
  const [line] = layOutAgents(
    { agents: [full], session: undefined, here: undefined, own: userAgentId, now, columns: 80 },
    (_, text) => text,
  );
  expect(line).toBe('your inbox: 3 unread → signalbox inbox drain; 1 dead letter');
});

test('wide characters line up, and a name that acts on a terminal is shown as text', () => {
  const lines = layOut([agent('日本語'), agent('e\u0301te'), agent('x\u001b[31m')]);
  const at = lines.slice(0, 3).map((line) => cellWidth(line.slice(0, line.indexOf('idle'))));
  expect(new Set(at).size).toBe(1);
  expect(lines.join('')).not.toContain('\u001b');
});

test.each([60, 80, 200])('20 agents fit in %i columns', (columns) => {
  const crowd = Array.from({ length: 20 }, (_, i) => {
    const statuses = ['processing', 'idle', 'waiting', 'error', 'exited'] as const;
    const to = { id: 'agt_agent-0', name: 'agent-0-with-a-rather-long-name-for-a-table' };
    return agent(`agent-${i}${i % 4 === 0 ? '-with-a-rather-long-name-for-a-table' : ''}`, {
      status: statuses[i % 5] ?? 'idle',
      ...(i % 5 === 2 ? { question: `Do you want to proceed? ${'make '.repeat(40)}` } : {}),
      ...(i % 5 >= 3 ? { detail: 'something that takes a good many words to say' } : {}),
      ...(i > 0
        ? { parent: { id: `agt_agent-${i > 9 ? 8 : 0}`, name: '' } }
        : { id: 'agt_agent-0' }),
      ...(i === 8 ? { id: 'agt_agent-8' } : {}),
      ...(i % 3 === 0 ? { owes: [{ task: 'm', to, about: 'x'.repeat(80), since: '' }] } : {}),
      inbox: { ...empty, queued: i % 2, dead: i % 7 === 0 ? 3 : 0 },
    });
  });
  const lines = layOut(crowd, { columns });
  expect(lines.filter((line) => cellWidth(line) > columns)).toEqual([]);
  for (let i = 0; i < 20; i++) expect(lines.some((line) => line.includes(`agent-${i}`))).toBe(true);
  expect(lines.filter((line) => line.includes('asks: Do you want'))).toHaveLength(4);
});
