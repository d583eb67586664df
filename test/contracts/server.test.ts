import { describe, expect, test } from 'vitest';
import { read, TestServer } from '../support/server.ts';

const launch = {
  provider: 'generic',
  name: 'worker',
  notify: true,
  cwd: '/tmp',
  extraArgs: ['--x'],
  env: { PATH: '/bin' },
  extraEnv: {},
};

describe('agents', () => {
  test('are listed with what is known right now, and by session', async () => {
    const server = new TestServer();
    const worker = await server.add('worker', { session: 'checkout' });
    server.fleet.lives.set(worker.id, {
      status: 'waiting',
      detail: 'permission',
      source: 'screen',
      since: 0,
      composer: 'hidden',
      humanTypedAt: 1000,
      notes: ['what held it in tmux was closed'],
    });
    const { agents } = await read(await server.ask('/agents?session=checkout'));
    expect(agents).toEqual([
      expect.objectContaining({
        name: 'worker',
        status: 'waiting',
        detail: 'permission',
        source: 'screen',
        since: '1970-01-01T00:00:00.000Z',
        composer: 'hidden',
        humanTypedAt: '1970-01-01T00:00:01.000Z',
        notes: ['what held it in tmux was closed'],
      }),
    ]);
    expect((await read(await server.ask('/agents'))).agents).toHaveLength(2);
  });

  test('B14: one broken agent is shown as broken and hides nobody', async () => {
    const server = new TestServer();
    const broken = await server.add('broken');
    await server.add('sound');
    server.fleet.lives.set(broken.id, new Error('its terminal is on fire'));
    const response = await server.ask('/agents');
    const { agents } = await read(response);
    expect([response.status, agents.map(({ name }: { name: string }) => name)]).toEqual([
      200,
      ['broken', 'sound', 'user'],
    ]);
    expect(agents[0].notes).toEqual(['It cannot be shown: its terminal is on fire']);
    expect(server.logged).toHaveLength(1);
  });

  test('are named by name or id, also one that must be escaped', async () => {
    const server = new TestServer();
    const { id } = await server.add('作業者');
    for (const reference of [id, encodeURIComponent('作業者')]) {
      expect((await read(await server.ask(`/agents/${reference}`))).id).toBe(id);
    }
  });

  test('B14: an unknown one is 404 with the closest name, on every route', async () => {
    const server = new TestServer();
    await server.add('worker');
    const asked = await Promise.all([
      server.ask('/agents/wroker'),
      server.ask('/agents/wroker', { method: 'DELETE' }),
      server.ask('/agents/wroker/output'),
      server.ask('/agents/wroker/stream'),
      server.post('/agents/wroker/stop', ''),
      server.post('/agents/wroker/restart', { fresh: false, env: {} }),
      server.post('/agents/wroker/attach', { env: {} }),
    ]);
    for (const response of asked) {
      expect([response.status, await read(response)]).toEqual([
        404,
        {
          error: {
            code: 'agent-not-found',
            message: 'No agent named "wroker".',
            next: 'Did you mean "worker"?',
          },
        },
      ]);
    }
  });

  test('are launched with everything that was asked for', async () => {
    const server = new TestServer();
    const wanted = { ...launch, message: 'Build it', worktree: true, terminal: 'herdr' };
    const response = await server.post('/agents', wanted);
    expect([response.status, (await read(response)).name]).toEqual([201, 'worker']);
    expect(server.fleet.launches).toEqual([
      {
        provider: 'generic',
        name: 'worker',
        session: undefined,
        parent: undefined,
        notify: true,
        cwd: '/tmp',
        model: undefined,
        terminal: 'herdr',
        role: {},
        worktree: true,
        extraArgs: ['--x'],
        callerEnv: { PATH: '/bin' },
        extraEnv: {},
        callerAgent: undefined,
        message: { from: 'agt_user', body: 'Build it', isScript: true },
      },
    ]);
  });

  test('launched by an agent are its children, in its session', async () => {
    const server = new TestServer();
    const lead = await server.add('lead', { session: 'checkout' });
    await server.post('/agents', launch, { 'signalbox-agent': lead.id });
    expect(server.fleet.launches[0]).toMatchObject({
      parent: lead.id,
      callerAgent: lead.id,
      session: 'checkout',
    });
  });

  test('end only those they started; the person ends everybody', async () => {
    const server = new TestServer();
    const lead = await server.add('lead');
    await server.add('child', { parent: lead.id });
    await server.add('stranger');
    const as = { 'signalbox-agent': lead.id };
    expect((await server.post('/agents/child/stop', '', as)).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/agents/stranger/stop'],
      ['DELETE', '/agents/stranger'],
    ]) {
      const response = await server.ask(path ?? '', { method: method ?? '', headers: as });
      expect([response.status, (await read(response)).error.code]).toEqual([403, 'not-allowed']);
    }
    const removed = await server.ask('/agents/stranger', { method: 'DELETE' });
    expect((await read(removed)).removed).toEqual([
      expect.objectContaining({ name: 'stranger', settled: 0 }),
    ]);
  });
});

describe('a request that is wrong', () => {
  const cases: readonly [string, RequestInit & { path: string }, number, string, RegExp][] = [
    ['an unknown route', { path: '/nothing' }, 404, 'route-not-found', /GET \/nothing/],
    ['an unknown method', { path: '/health', method: 'DELETE' }, 405, 'method-not-allowed', /GET/],
    ['malformed JSON', json('{"provider":'), 400, 'invalid-input', /Malformed JSON/],
    ['no body', json(''), 400, 'invalid-input', /Malformed JSON/],
    ['a wrong type', json('{"provider":7}'), 400, 'invalid-input', /provider: .*string/],
    [
      'a misspelt field',
      json(JSON.stringify({ ...launch, modle: 'x' })),
      400,
      'invalid-input',
      /modle/,
    ],
    [
      'another content type',
      { path: '/agents', method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
      'media-type',
      /application\/json/,
    ],
    ['no content type', { path: '/agents', method: 'POST', body: 'x' }, 415, 'media-type', /json/],
    [
      'a body of 5 MB',
      json(JSON.stringify({ ...launch, message: 'x'.repeat(5_000_000) })),
      413,
      'body-too-large',
      /more than 3MiB/,
    ],
    [
      'a message over the limit',
      json(JSON.stringify({ ...launch, message: 'x'.repeat(1_500_000) })),
      413,
      'body-too-large',
      /the limit is 1MiB/,
    ],
    [
      'an upgrade',
      { path: '/events', headers: { upgrade: 'websocket' } },
      400,
      'invalid-input',
      /plain HTTP/,
    ],
    ['a wrong mode', { path: '/agents/user/output?mode=x' }, 400, 'invalid-input', /mode/],
    ['a wrong topic', { path: '/events?topic=agent' }, 400, 'invalid-input', /three words/],
    ['a wrong session', { path: '/agents?session=a%20b' }, 400, 'invalid-input', /not a name/],
    [
      'a caller that is nobody',
      { path: '/agents/user', headers: { 'signalbox-agent': 'agt_gone' } },
      404,
      'agent-not-found',
      /agt_gone/,
    ],
  ];
  test.each(cases)(
    'is answered with a fault document: %s',
    async (_, wrong, status, code, said) => {
      const server = new TestServer();
      const { path, ...init } = wrong;
      const response = await server.ask(path, init);
      const body = await read(response);
      expect([response.status, body.error.code]).toEqual([status, code]);
      expect(body.error.message).toMatch(said);
      expect(body.error.next).toMatch(/\S/);
      expect(response.headers.get('signalbox-protocol')).toBe('1');
      expect(server.fleet.launches).toEqual([]);
    },
  );

  test('an announced length that is a lie does not help', async () => {
    const server = new TestServer();
    const headers = { 'content-type': 'application/json', 'content-length': '10' };
    const body = new Blob(['x'.repeat(2_000_000)]).stream();
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    expect((await server.ask('/agents/user/restart', init)).status).toBe(413);
  });

  test('a bug is 500, logged with its place, and its text is not shown', async () => {
    const server = new TestServer();
    const { id } = await server.add('broken');
    server.fleet.lives.set(id, new Error('a secret'));
    const response = await server.ask('/agents/broken');
    const text = await response.text();
    expect([response.status, JSON.parse(text).error.code]).toEqual([500, 'bug']);
    expect(text).not.toContain('a secret');
    expect(server.logged[0]).toMatch(/a request failed.*a secret/);
  });
});

describe('another protocol', () => {
  test('is refused with which side is older and what to do', async () => {
    const server = new TestServer();
    for (const [version, said, next] of [
      ['0', /client is older: it speaks 0/, /upgrade this one/],
      ['2', /client is newer: it speaks 2/, /signalbox down/],
    ] as const) {
      const response = await server.ask('/agents', { headers: { 'signalbox-protocol': version } });
      const { error } = await read(response);
      expect([response.status, error.code]).toEqual([426, 'protocol-mismatch']);
      expect(error.message).toMatch(said);
      expect(error.next).toMatch(next);
    }
  });

  test('keeps no hook and no MCP proxy of an agent from a daemon that was upgraded meanwhile', async () => {
    const server = new TestServer();
    for (const path of ['/mcp', '/hooks/stop', '/hand-overs/one']) {
      const headers = { 'signalbox-protocol': '0', 'content-type': 'application/json' };
      const response = await server.ask(path, { method: 'POST', headers, body: '{}' });
      expect(response.status).not.toBe(426);
    }
  });

  test('may still ask for the health and end the daemon, or nobody could upgrade', async () => {
    const server = new TestServer();
    const headers = { 'signalbox-protocol': '99' };
    expect((await server.ask('/health', { headers })).status).toBe(200);
    const shutdown = await server.ask('/shutdown', { method: 'POST', headers });
    expect(await read(shutdown)).toEqual({ stopping: true, agents: 0 });
    expect(server.shutdowns).toBe(1);
  });
});

test('B2: health names the backend and each component', async () => {
  const server = new TestServer();
  expect(await read(await server.ask('/health'))).toEqual({
    ok: true,
    version: '9.9.9',
    protocol: 1,
    terminalBackend: 'tmux',
    components: {
      daemon: { state: 'running', pid: 1 },
      ledger: { state: 'ready', path: '/ledger.db', id: expect.any(String) },
      backend: { state: 'ready', version: '3.3a' },
      backends: { tmux: { state: 'ready', version: '3.3a', isDefault: true, agents: 0 } },
      providers: { generic: { state: 'found' } },
    },
    agents: { running: 0, troubled: [] },
  });
});

function json(body: string): RequestInit & { path: string } {
  return { path: '/agents', method: 'POST', headers: { 'content-type': 'application/json' }, body };
}
