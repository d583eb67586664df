import { type Ask, everybody, nobody, type Row, userAlone } from './row.ts';

const agents: readonly Row[] = [
  {
    verb: 'list-agents',
    wish: 'all',
    command: (stage, actor) => stage.command(actor, (client) => client.listAgents()),
    http: (stage, actor) => stage.http(actor, 'GET', '/agents'),
    tool: (stage, actor) => stage.tool(actor, 'list_agents'),
    expected: everybody,
    read: (result) =>
      (result.agents ?? result).map(
        ({ name, status, session, owes = [] }: Record<string, unknown> & { owes?: unknown[] }) => [
          ...[name, status, session],
          owes.length,
        ],
      ),
  },
  {
    verb: 'list-agents',
    wish: 'of a session that cannot be',
    command: (stage, actor) => stage.command(actor, (client) => client.listAgents('a b')),
    http: (stage, actor) => stage.http(actor, 'GET', '/agents?session=a%20b'),
    expected: nobody('invalid-input'),
  },
  ...['peer', 'self', 'puller', 'nobody'].map(
    (agent): Row => ({
      verb: 'show-agent',
      wish: agent,
      command: (stage, actor) => stage.command(actor, (client) => client.showAgent(agent)),
      http: (stage, actor) => stage.http(actor, 'GET', `/agents/${agent}`),
      expected: agent === 'nobody' ? nobody('agent-not-found') : everybody,
      // Routes are the daemon's to know, and what messages wait for.
      read: ({ routes: _, lacks: __, waitsFor: ___, waitsForCode: ____, ...view }) => view,
    }),
  ),
  ...['child', 'peer', 'puller', 'user', 'nobody'].map(
    (agent): Row => ({
      verb: 'remove',
      wish: agent,
      command: (stage, actor) =>
        stage.command(actor, (client) => client.removeAgents({ names: [agent] })),
      http: (stage, actor) => stage.http(actor, 'DELETE', `/agents/${agent}`),
      expected:
        agent === 'nobody'
          ? nobody('agent-not-found')
          : agent === 'user'
            ? nobody('not-allowed')
            : { ...everybody, agent: agent === 'child' ? 'done' : 'not-allowed' },
    }),
  ),
  {
    verb: 'add-agent',
    wish: 'one that pulls',
    command: (stage, actor) =>
      stage.command(actor, (client) => client.addAgent({ name: 'new', notify: true, cwd: '/' })),
    expected: everybody,
  },
  ...['child', 'peer'].flatMap((agent): readonly Row[] => [
    {
      verb: 'stop',
      wish: agent,
      http: (stage, actor) => stage.http(actor, 'POST', `/agents/${agent}/stop`),
      tool: (stage, actor) => stage.tool(actor, 'stop_agent', { agent }),
      expected: { ...everybody, agent: agent === 'child' ? 'done' : 'not-allowed' },
      read: ({ outcome }) => outcome,
    },
    {
      verb: 'interrupt',
      wish: agent,
      http: (stage, actor) => stage.http(actor, 'POST', `/agents/${agent}/interrupt`, {}),
      // It stands for the key of a person at a terminal (rule 54).
      expected: { user: 'done', script: 'not-allowed', agent: 'not-allowed' },
    },
    {
      verb: 'await-launch',
      wish: agent,
      http: (stage, actor) => stage.http(actor, 'GET', `/agents/${agent}/start?timeoutMs=0`),
      expected: { ...everybody, agent: agent === 'child' ? 'done' : 'not-allowed' },
    },
    {
      verb: 'restart',
      wish: agent,
      http: (stage, actor) =>
        stage.http(actor, 'POST', `/agents/${agent}/restart`, { fresh: false, env: {} }),
      expected: { ...everybody, agent: agent === 'child' ? 'done' : 'not-allowed' },
    },
  ]),
  ...[undefined, 'child', 'peer', 'user'].map(
    (parent): Row => ({
      verb: 'launch',
      wish: `below ${parent ?? 'the caller'}`,
      http: (stage, actor) =>
        stage.http(actor, 'POST', '/agents', {
          ...{ provider: 'generic', notify: true, cwd: '/', env: {}, extraArgs: [], extraEnv: {} },
          ...(parent === undefined ? {} : { parent }),
        }),
      expected:
        parent === 'user'
          ? nobody('not-allowed')
          : { ...everybody, agent: parent === 'peer' ? 'not-allowed' : 'done' },
    }),
  ),
];

const terminals: readonly Row[] = [
  ...['peer', 'nobody'].map(
    (agent): Row => ({
      verb: 'read-output',
      wish: agent,
      http: (stage, actor) => stage.http(actor, 'GET', `/agents/${agent}/output?mode=last`),
      tool: (stage, actor) => stage.tool(actor, 'get_output', { agent }),
      expected: agent === 'nobody' ? nobody('agent-not-found') : everybody,
      read: ({ text, response }) => [text, response],
    }),
  ),
  {
    verb: 'read-output',
    wish: 'the scrollback',
    http: (stage, actor) => stage.http(actor, 'GET', '/agents/peer/output?mode=full'),
    expected: userAlone,
  },
  {
    verb: 'follow-output',
    wish: 'of a peer',
    http: (stage, actor) => stage.http(actor, 'GET', '/agents/peer/stream'),
    expected: userAlone,
  },
  {
    verb: 'attach',
    wish: 'to a peer',
    http: (stage, actor) => stage.http(actor, 'POST', '/agents/peer/attach', { env: {} }),
    expected: userAlone,
  },
  {
    verb: 'look',
    wish: 'for a peer',
    http: (stage, actor) => stage.http(actor, 'POST', '/agents/peer/look'),
    expected: everybody,
  },
  {
    verb: 'recent-events',
    wish: 'of agents',
    http: (stage, actor) => stage.http(actor, 'GET', '/events/recent?topic=agent.*.status'),
    expected: everybody,
  },
  {
    verb: 'follow-events',
    wish: 'of agents',
    http: (stage, actor) => stage.http(actor, 'GET', '/events?topic=agent.*.status'),
    expected: everybody,
  },
];

const tasks: readonly Row[] = [
  ...(
    [
      ['to a peer', { to: 'child' }, everybody],
      ['to nobody', { to: 'nothing' }, nobody('provider-not-found')],
      ['to the user', { to: 'user' }, nobody('not-allowed')],
      ['that is empty', { to: 'child', task: '' }, nobody('invalid-input')],
      ['that launches', { to: 'codex', name: 'new' }, everybody],
    ] as const
  ).map(
    ([wish, { to, ...more }, expected]): Row => ({
      verb: 'give-task',
      wish,
      http: (stage, actor) =>
        stage.http(actor, 'POST', '/tasks', { to, task: 'work', cwd: '/', env: {}, ...more }),
      // An empty text is one that the model has left out.
      ...(wish === 'that is empty' ? {} : { tool: assign(to, more) }),
      expected,
      read: ({ agent }) => agent.name ?? agent,
    }),
  ),
  {
    verb: 'take-answer',
    wish: 'of its own task, which is not there yet',
    http: (stage, actor) => stage.http(actor, 'GET', `/tasks/${stage.task}/answer?timeoutMs=0`),
    expected: everybody,
  },
  {
    verb: 'take-answer',
    wish: "of another's message",
    http: (stage, actor) =>
      stage.http(actor, 'GET', `/tasks/${stage.messages.foreign}/answer?timeoutMs=0`),
    expected: { ...everybody, agent: 'not-allowed' },
  },
];

const dashboard: readonly Row[] = [true, false].map((readOnly) => ({
  verb: 'open-dashboard',
  wish: readOnly ? 'to look' : 'to act',
  http: (stage, actor) =>
    stage.http(actor, 'POST', '/dashboard', { readOnly, env: {}, umask: '0077' }),
  expected: { user: 'done', script: 'not-allowed', agent: 'not-allowed' },
}));

export const ofAgents: readonly Row[] = [...agents, ...terminals, ...tasks, ...dashboard];

function assign(to: string, more: object): Ask {
  return (stage, actor) => stage.tool(actor, 'assign', { profile: to, task: 'work', ...more });
}
