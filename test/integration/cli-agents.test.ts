import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { AgentView, RemoveResult } from '../../src/protocol/agents.ts';
import { openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

interface Listing {
  readonly agents: readonly AgentView[];
}

const emptyInbox = { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 };

test('agents add and ls print the Agent document of the command line promise', async () => {
  const box = await openBox('lead');
  const added = await box.ask<AgentView>('agents', 'add', 'worker', '--parent', 'lead');
  const { agents } = await box.ask<Listing>('ls');
  const lead = agents.find(({ name }) => name === 'lead');
  expect(added).toEqual({
    id: expect.stringMatching(/^agt_[0-9a-hjkmnp-tv-z]{26}$/),
    name: 'worker',
    session: 'default',
    provider: 'none',
    backend: 'none',
    epoch: 0,
    status: 'unknown',
    source: 'none',
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    parent: { id: lead?.id, name: 'lead', session: 'default' },
    cwd: realpathSync(tmpdir()),
    inbox: emptyInbox,
  });
  expect(agents.map(({ name }) => name)).toEqual(['lead', 'user', 'worker']);
  expect(agents[2]).toEqual(added);
  expect(agents[1]).toMatchObject({ id: 'agt_user', provider: 'none', inbox: emptyInbox });
});

test('ls and agents ls are the same, and --session shows one session alone', {
  tags: ['full'],
}, async () => {
  const box = await openBox('lead');
  await box.ask('agents', 'add', 'worker', '--session', 'checkout');
  const [top, group, one, none] = await Promise.all([
    box.ask('ls'),
    box.ask('agents', 'ls'),
    box.ask<Listing>('ls', '--session', 'checkout'),
    box.ask<Listing>('ls', '--session', 'nothing'),
  ]);
  expect(group).toEqual(top);
  expect(one.agents.map(({ name }) => name)).toEqual(['worker']);
  expect(none.agents).toEqual([]);
});

test('the table of agents is aligned, and has no colour when it is piped', async () => {
  const box = await openBox('a', 'grünes-licht');
  await box.send('a', 'hello');
  const { stdout: tree } = await box.run(['ls']);
  expect(tree).toBe('a             pulls    1 queued\ngrünes-licht  pulls\nyour inbox is empty\n');
  const { stdout, code } = await box.run(['ls', '--wide']);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^NAME +SESSION +STATUS +SINCE +INBOX +PARENT +OWES +ID$/);
  expect(lines).toHaveLength(4);
  const column = lines[0]?.indexOf('ID') ?? 0;
  expect(lines.slice(1).map((line) => line.indexOf('agt_'))).toEqual([column, column, column]);
  expect(lines[1]).toMatch(/^a .* 1 queued /);
  expect(stdout).not.toContain('\u001b');
});

describe('names', () => {
  test('are unique among the living, free again after rm, and ids are never reused', async () => {
    const box = await openBox();
    const first = await box.ask<AgentView>('agents', 'add', 'worker');
    expectFault(await box.run(['agents', 'add', 'worker', '--json']), 5, 'name-taken', /worker/);
    await box.ask('rm', 'worker');
    const second = await box.ask<AgentView>('agents', 'add', 'worker');
    expect(second.id > first.id).toBe(true);
  });

  test('two spellings of the same letters are one name', async () => {
    const box = await openBox();
    await box.ask('agents', 'add', 'caf\u00e9');
    expectFault(await box.run(['agents', 'add', 'cafe\u0301', '--json']), 5, 'name-taken');
    await box.send('cafe\u0301', 'found all the same');
  });

  test('that only look like another are refused and never found, and the error says which is meant', {
    tags: ['full'],
  }, async () => {
    const box = await openBox();
    await box.ask('agents', 'add', 'lead', '--session', 'shop');
    const add = (...words: readonly string[]) => box.run(['agents', 'add', ...words, '--json']);
    expectFault(await add('usеr'), 5, 'name-reserved', /looks like "user"/);
    expectFault(await add('lеad'), 5, 'name-taken', /the agent "lead".*U\+0435/);
    expectFault(await add('other', '--session', 'ѕhop'), 5, 'name-taken', /the session "shop"/);
    const sent = await box.run(['send', 'lеad', 'for the other one', '--json']);
    expectFault(sent, 3, 'agent-not-found', /it only looks like "lead"/);
    expect((await box.list('lead')).messages).toEqual([]);
  });

  test('that would act on a terminal or a shell, or are too long, are refused with exit 2', {
    tags: ['full'],
  }, async () => {
    const box = await openBox();
    const bad = [
      '',
      ' ',
      'a b',
      'a\tb',
      'a\nb',
      '\u001b[31m',
      'a\u202eb',
      '.hidden',
      'a/b',
      '$(id)',
    ];
    const ended = await Promise.all(
      [...bad, 'x'.repeat(65), '*', '\ud83d\ude80'].map((name) =>
        box.run(['agents', 'add', '--json', '--', name]),
      ),
    );
    for (const one of ended) expectFault(one, 2, 'invalid-input', /is not a name for an agent/);
    expectFault(
      await box.run(['agents', 'add', 'a', '--session', 'x y', '--json']),
      2,
      'invalid-input',
    );
    await box.ask('agents', 'add', 'x'.repeat(64), '--session', 'user');
  });

  test('that mean something else are reserved: exit 5', async () => {
    const box = await openBox();
    const reserved = ['user', 'User', 'self', 'SELF', 'signalbox', 'agt_1', 'msg_1'];
    const ended = await Promise.all(
      reserved.map((name) => box.run(['agents', 'add', name, '--json'])),
    );
    for (const one of ended) expectFault(one, 5, 'name-reserved');
  });

  test('D2: of six adds of one name at once exactly one wins', async () => {
    const box = await openBox('other');
    const ended = await Promise.all(
      Array.from({ length: 6 }, () => box.run(['agents', 'add', 'worker', '--json'])),
    );
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 5, 5, 5, 5, 5]);
  });
});

describe('parents', () => {
  test('must exist; the closest name is suggested; the user is nobody’s parent', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('lead');
    const add = (parent: string) =>
      box.run(['agents', 'add', 'worker', '--parent', parent, '--json']);
    expectFault(await add('laad'), 3, 'agent-not-found', /"laad".*Did you mean "lead"\?/);
    expectFault(await add('user'), 5, 'not-allowed');
    expect((await box.ask<Listing>('ls')).agents).toHaveLength(2);
  });

  test('are the agent itself, with its session, where an agent adds one', async () => {
    const box = await openBox();
    const lead = await box.ask<AgentView>('agents', 'add', 'lead', '--session', 'checkout');
    const ended = await box.runAs('lead', ['agents', 'add', 'worker', '--json']);
    expect(ended.json()).toMatchObject({
      session: 'checkout',
      parent: { id: lead.id, name: 'lead' },
    });
  });

  test('rule 29: removing a parent hands its children to its own parent', async () => {
    const box = await openBox('top');
    await box.ask('agents', 'add', 'middle', '--parent', 'top');
    await box.ask('agents', 'add', 'low', '--parent', 'middle');
    await box.ask('rm', 'middle');
    const { agents } = await box.ask<Listing>('ls');
    expect(agents.find(({ name }) => name === 'low')?.parent?.name).toBe('top');
  });
});

describe('rm', () => {
  test('rule 35, O12: settles the inbox, tells the senders, and keeps the story', async () => {
    const box = await openBox('worker', 'peer');
    const mine = await box.send('worker', 'from the user');
    const theirs = await box.send('worker', 'from a peer', { from: 'peer' });
    const answer = await box.ask<RemoveResult>('rm', 'worker');
    expect(answer).toEqual({
      removed: [
        {
          ...{ id: expect.stringMatching(/^agt_/), name: 'worker', session: 'default' },
          ...{ settled: 2, maybeRead: 0, read: 0 },
        },
      ],
    });
    const user = await box.drain('user');
    expect(user.messages.map(({ kind, replyTo, reason }) => [kind, replyTo, reason])).toEqual([
      ['bounce', [mine], 'recipient_removed'],
    ]);
    expect(user.messages[0]?.body).toContain('> from the user');
    const peer = await box.drain('peer');
    expect(peer.messages.map(({ replyTo }) => replyTo)).toEqual([[theirs]]);
    const { message, history } = await box.explain(mine);
    expect(message).toMatchObject({ state: 'dead', reason: 'recipient_removed' });
    expect(history.map(({ to }) => to)).toEqual(['queued', 'dead']);
    const late = await box.run(['send', 'worker', 'too late', '--json']);
    expectFault(late, 3, 'agent-not-found');
  });

  test('says in words what became of the inbox', async () => {
    const box = await openBox('worker', 'idler');
    await box.send('worker', 'x');
    const { stdout } = await box.run(['rm', 'worker', 'idler']);
    expect(stdout).toBe(
      'worker removed: of its open messages 1 never read; living senders told\nidler removed\n',
    );
  });

  test('--session removes every agent of one session, and no other', async () => {
    const box = await openBox('outsider');
    for (const name of ['a', 'b']) await box.ask('agents', 'add', name, '--session', 'checkout');
    const { removed } = await box.ask<RemoveResult>('rm', '--session', 'checkout');
    expect(removed.map(({ name }) => name)).toEqual(['a', 'b']);
    const { agents } = await box.ask<Listing>('ls');
    expect(agents.map(({ name }) => name)).toEqual(['outsider', 'user']);
    const again = await box.run(['rm', '--session', 'checkout', '--json']);
    expectFault(again, 3, 'agent-not-found', /session "checkout"/);
  });

  test('removes nobody when one of those named is unknown, or is the user', async () => {
    const box = await openBox('worker');
    expectFault(await box.run(['rm', 'worker', 'wroker', '--json']), 3, 'agent-not-found');
    for (const name of ['user', 'agt_user', 'self']) {
      expectFault(await box.run(['rm', 'worker', name, '--json']), 5, 'not-allowed');
    }
    // The user's own session holds the user too: it stays.
    await box.ask('rm', '--session', 'default');
    const { agents } = await box.ask<Listing>('ls');
    expect(agents.map(({ name }) => name)).toEqual(['user']);
  });

  test('from inside, only what the agent started: exit 5 for the rest, itself included', async () => {
    const box = await openBox('lead', 'stranger');
    await box.ask('agents', 'add', 'child', '--parent', 'lead');
    await box.ask('agents', 'add', 'grandchild', '--parent', 'child');
    for (const name of ['stranger', 'self', 'user']) {
      expectFault(await box.runAs('lead', ['rm', name, '--json']), 5, 'not-allowed');
    }
    const session = await box.runAs('lead', ['rm', '--session', 'default', '--json']);
    expectFault(session, 5, 'not-allowed');
    expect((await box.ask<Listing>('ls')).agents).toHaveLength(5);
    const ended = await box.runAs('lead', ['rm', 'grandchild', 'child', '--json']);
    expect(ended.json<RemoveResult>().removed.map(({ name }) => name)).toEqual([
      'grandchild',
      'child',
    ]);
  });
});

describe('who is asking', () => {
  test('O9: SIGNALBOX_AGENT by name and by id; without it the user', async () => {
    const box = await openBox();
    const { id } = await box.ask<AgentView>('agents', 'add', 'worker');
    await box.runAs('worker', ['send', 'user', 'by name']);
    await box.runAs(id, ['send', 'user', 'by id']);
    await box.runAs('', ['send', 'user', 'as nobody']);
    const { messages } = await box.drain('user');
    expect(messages.map(({ from, body }) => `${from.name}: ${body}`)).toEqual([
      'worker: by name',
      'worker: by id',
      'user: as nobody',
    ]);
  });

  test('an unknown or removed SIGNALBOX_AGENT stops every command with exit 3', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    const { id } = await box.ask<AgentView>('agents', 'add', 'old');
    await box.ask('rm', 'old');
    const said = /SIGNALBOX_AGENT does not name an agent/;
    const commands = [['ls'], ['inbox', 'drain'], ['send', 'user', 'x'], ['doctor']];
    const ended = await Promise.all([
      ...commands.map((args) => box.runAs('wroker', [...args, '--json'])),
      box.runAs(id, ['ls', '--json']),
      box.runAs('self', ['ls', '--json']),
    ]);
    for (const one of ended) expectFault(one, 3, 'agent-not-found', said);
    expect(ended[0]?.stderr).toContain('Did you mean "worker"?');
    expect(ended[4]?.stderr).toContain('has been removed');
  });
});
