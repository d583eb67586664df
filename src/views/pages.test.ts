import { expect, test } from 'vitest';
import {
  agentOf,
  ago,
  messageOf,
  nameOf,
  noon,
  userName,
  worldOf,
} from '../../test/support/page-world.ts';
import type { HealthView } from '../protocol/daemon.ts';
import type { Explanation } from '../protocol/messages.ts';
import { viewAgentPage } from './agent-page.ts';
import { viewAttention } from './attention-page.ts';
import { listChoices } from './compose.ts';
import { viewHealth } from './health-page.ts';
import { viewStory } from './story.ts';
import { nextLookMs, tellSince } from './tell-time.ts';

test('an agent’s page has its inbox, its debts, its family and what is in the way', () => {
  const lead = agentOf('lead', {
    status: 'processing',
    parent: nameOf('boss'),
    owes: [{ task: 'msg_9', to: nameOf('boss'), since: ago(100), reminded: true }],
    held: { until: ago(-3600), why: 'its wake budget (60 turns an hour) is spent' },
    lacks: [{ route: 'paste', why: 'herdr shows no cursor' }],
  });
  const world = worldOf({
    agents: [lead, agentOf('worker', { parent: nameOf('lead') })],
    messages: [
      messageOf('1', { state: 'queued', createdAt: ago(10) }),
      messageOf('2', { state: 'seen' }),
      messageOf('3', { state: 'queued', from: nameOf('lead'), to: nameOf('worker') }),
    ],
  });
  const page = viewAgentPage(world, 'agt_lead', noon);
  expect(page).toMatchObject({ name: 'lead', fullName: 'shop/lead', canInterrupt: true });
  expect(page?.inbox.map(({ id }) => id)).toEqual(['msg_1']);
  expect(page?.children).toEqual([{ id: 'agt_worker', name: 'worker' }]);
  expect(page?.owes[0]).toMatchObject({ task: 'msg_9', wasReminded: true });
  expect(page?.troubles[0]).toContain('its wake budget (60 turns an hour) is spent');
  expect(page?.troubles[1]).toContain('herdr shows no cursor');
  expect(viewAgentPage(world, 'agt_gone', noon)).toBe(undefined);
  expect(viewAgentPage(world, userName.id, noon)).toBe(undefined);
});

test('an agent without a terminal of ours offers none, and one that has exited shows none', () => {
  const has = (more: object) =>
    viewAgentPage(worldOf({ agents: [agentOf('a', more)] }), 'agt_a', noon)?.has;
  expect(has({ backend: 'none', provider: 'none' })).toMatchObject({ terminal: false });
  expect(has({ status: 'exited' })).toEqual({ terminal: false, process: true, typing: true });
  expect(has({ backend: 'herdr' })).toEqual({ terminal: true, process: true, typing: false });
});

test('attention sorts what needs a person, the oldest first, and counts it', () => {
  const item = { since: ago(5), text: 'run `rm -rf /`?', next: 'signalbox answer lead' };
  const asks = { id: 'qabcdef', asks: 'command', text: 'rm', decisions: ['allow'] } as const;
  const world = worldOf({
    agents: [
      agentOf('lead', { status: 'waiting', questions: [asks] }),
      agentOf('old', { versionWarning: { what: 'codex 9 was not tried', next: 'see doctor' } }),
      agentOf('busy', { held: { until: ago(-60), why: 'its wake budget is spent' } }),
    ],
    messages: [
      messageOf('1', { from: nameOf('lead'), to: userName, state: 'queued', createdAt: ago(9) }),
      messageOf('2', { from: nameOf('lead'), to: userName, state: 'queued', createdAt: ago(99) }),
      messageOf('3', { state: 'dead', reason: 'attempts_exhausted' }),
      messageOf('4', { state: 'dead', discarded: true }),
      messageOf('5', { state: 'uncertain' }),
    ],
    attention: {
      items: [
        { kind: 'question', agent: nameOf('lead'), ...item },
        { kind: 'broken', agent: nameOf('old'), ...item },
        { kind: 'unread', ...item },
      ],
    },
  });
  const page = viewAttention(world, noon);
  expect(page.asking).toEqual([{ id: 'agt_lead', name: 'lead', ...item, questions: ['qabcdef'] }]);
  expect(page.failing.map(({ name }) => name)).toEqual(['old']);
  expect(page.unread.map(({ id }) => id)).toEqual(['msg_2', 'msg_1']);
  expect(page.dead.map(({ id }) => id)).toEqual(['msg_3']);
  expect(page.uncertain.map(({ id }) => id)).toEqual(['msg_5']);
  expect(page.untried[0]?.text).toBe('codex 9 was not tried');
  expect(page.held[0]?.text).toContain('its wake budget is spent');
  expect(page.count).toBe(6);
});

test('words of others are shown for what they are, hidden characters by their numbers', () => {
  const text = 'run \u202eevil\u202c?\u200b';
  const world = worldOf({
    agents: [agentOf('lead', { notes: [text] })],
    attention: {
      items: [{ kind: 'question', agent: nameOf('lead'), since: ago(1), text, next: 'x' }],
    },
  });
  const shown = 'run <U+202E>evil<U+202C>?<U+200B>';
  expect(viewAttention(world, noon).asking[0]?.text).toBe(shown);
  expect(viewAgentPage(world, 'agt_lead', noon)?.troubles).toEqual([shown]);
});

test('whom one can write to: all by their full names, never the user; the chosen stay in every filter', () => {
  const agents = [
    agentOf('b', { status: 'exited' }),
    agentOf('a', { id: 'agt_a2', session: 'other' }),
    agentOf('a'),
    agentOf('user', userName),
  ];
  const list = (filter: string, chosen: string[] = []) =>
    listChoices(worldOf({ agents }), filter, new Set(chosen)).map(({ name }) => name);
  expect(list('')).toEqual(['other/a', 'shop/a', 'shop/b']);
  expect(list('other')).toEqual(['other/a']);
  expect(list('other', ['agt_b'])).toEqual(['other/a', 'shop/b']);
  const [exited] = listChoices(
    worldOf({ agents: [agentOf('b', { status: 'exited' })] }),
    '',
    new Set(),
  );
  expect(exited?.warning).toContain('it has exited');
  const broken = worldOf({
    agents: [agentOf('b', { broken: 'it cannot be woken: its hook is gone' })],
  });
  expect(listChoices(broken, '', new Set())[0]?.warning).toContain('its hook is gone');
});

test('health shows each part with its state, and the CLIs that are installed first', () => {
  const health: HealthView = {
    ...{ ok: false, version: '1', protocol: 1, terminalBackend: 'tmux' },
    components: {
      daemon: { state: 'running', pid: 7, memoryBytes: 61_000_000 },
      ledger: { state: 'ready', path: '/l.db' },
      backend: { state: 'down' },
      backends: { tmux: { state: 'down', detail: 'no server', isDefault: true, agents: 1 } },
      providers: { codex: { state: 'missing' }, gemini: { state: 'found', version: '2' } },
    },
    agents: { running: 3, troubled: ['lead'] },
  };
  const page = viewHealth(health);
  expect(page.parts.map(({ name, state, mark }) => [name, state, mark.shape])).toEqual([
    ['daemon', 'running', 'tick'],
    ['ledger', 'ready', 'tick'],
    ['tmux', 'down', 'cross'],
  ]);
  expect(page.parts[0]?.facts).toEqual(['pid 7', '61 MB']);
  expect(page.parts[2]?.facts).toEqual(['the default', '1 agent', 'no server']);
  expect(page.providers.map(({ name }) => name)).toEqual(['gemini', 'codex']);
});

test('a story has each move with its evidence, each attempt, and what comes next', () => {
  const told: Explanation = {
    message: {
      ...{ id: 'msg_1', short: 'lead:1', kind: 'message', from: userName, to: nameOf('lead') },
      ...{ state: 'queued', body: 'a\u202eb', truncated: false, urgent: true, attempts: 1 },
      ...{ standing: 'prompt', createdAt: ago(100) },
    },
    history: [
      { at: ago(100), from: null, to: 'queued', cause: 'sent' },
      { at: ago(99), from: 'queued', to: 'claimed', cause: 'attempt 1' },
      { at: ago(97.5), from: 'claimed', to: 'queued', cause: 'not landed', evidence: 'no row' },
    ],
    attempts: [{ number: 1, at: ago(99), route: 'paste', epoch: 2, outcome: 'not-landed' }],
    waitsFor: 'a draft stands in its composer, and is left alone',
    waitsForCode: 'draft',
  };
  const story = viewStory(told, noon, userName.id);
  expect(story).toMatchObject({ faring: 'stuck', canCancel: true, canRetry: false });
  expect(story.title).toBe('user → lead');
  expect(story.body).toBe('a<U+202E>b');
  expect(story.moves.map(({ after, cause, evidence }) => [after, cause, evidence])).toEqual([
    ['', 'sent (fsynced)', undefined],
    ['+1.0 s', 'attempt 1', undefined],
    ['+1.5 s', 'not landed', 'no row'],
  ]);
  expect(story.attempts[0]).toMatchObject({ way: 'paste', facts: ['life 2'] });
  expect(story.next).toEqual(['It waits: a draft stands in its composer, and is left alone.']);
});

test.each([
  [0.4, 'now', 600],
  [12, '12 s', 1000],
  [90, '1 m', 30_000],
  [7200, '2 h', 3_600_000],
  [200_000, '2 d', 1_600_000],
])(
  '%f s ago is told as %s, and looked at again when that is no longer so',
  (seconds, said, again) => {
    expect(tellSince(ago(seconds), noon)).toBe(said);
    expect(nextLookMs(ago(seconds), noon)).toBe(again);
  },
);
