import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read, TestServer } from '../support/server.ts';

test('the OpenAPI document describes every route that can be called, under a name of its own', async () => {
  const server = new TestServer();
  const api = await server.describeApi();
  const described = api.operations.map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
  );
  const served = server.routes.filter(({ method }) => method !== 'ALL');
  expect(described.toSorted()).toEqual(
    [...new Set(served.map(({ method, path }) => `${method} ${path}`))].toSorted(),
  );
  const ids = api.operations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
});

test('it says who may call, which headers count, and what a request may hold', async () => {
  const document = await read(await new TestServer().ask('/openapi.json'));
  const { paths, components } = document;
  const { Agent, LaunchRequest, SendRequest, FaultCode } = components.schemas;
  expect(Agent.required).not.toContain('detail');
  expect(Agent.required).toContain('inbox');
  expect(LaunchRequest.additionalProperties).toBe(false);
  expect(LaunchRequest.properties.umask.pattern).toBe('^0?[0-7]{3}$');
  expect(SendRequest.properties.ttlMs.maximum).toBe(315_360_000_000);
  expect(SendRequest.properties.body.minLength).toBe(1);
  expect(FaultCode.enum).toContain('method-not-allowed');
  const callers = (path: string, method: string) =>
    paths[path][method].security.map((one: object) => Object.keys(one).join());
  expect(callers('/hooks/{event}', 'post')).toEqual(['agentToken']);
  expect(callers('/mcp', 'post')).toEqual(['', 'agentToken']);
  expect(callers('/shutdown', 'post')).toEqual(['', 'userToken']);
  expect(callers('/agents', 'get')).toEqual(['', 'userToken', 'agentToken']);
  for (const name of ['userToken', 'agentToken']) {
    expect(components.securitySchemes).toHaveProperty(name);
  }
  const heads = (path: string, method: string) =>
    paths[path][method].parameters
      .filter((one: { in: string }) => one.in === 'header')
      .map(({ name }: { name: string }) => name);
  expect(heads('/events', 'get')).toContain('last-event-id');
  expect(heads('/events', 'get')).toContain('signalbox-agent');
  expect(heads('/shutdown', 'post')).not.toContain('signalbox-agent');
  expect(heads('/hooks/{event}', 'post')).toContain('x-signalbox-report');
  expect(heads('/mcp', 'post')).toContain('mcp-session-id');
  expect(heads('/health', 'get')).not.toContain('signalbox-protocol');
  for (const path of ['/mcp', '/hooks/{event}', '/hooks/wait']) {
    expect(paths[path].post.requestBody.content).toHaveProperty('application/json');
  }
});

test('a method that a path does not take is 405 with those that it takes; a path that is not there is 404', async () => {
  const server = new TestServer();
  const cases: readonly [string, string, string][] = [
    ['PUT', '/agents', 'GET, POST'],
    ['POST', '/agents/x', 'GET, DELETE'],
    ['GET', '/mcp', 'POST'],
    ['DELETE', '/mcp', 'POST'],
    ['GET', '/hooks/wait', 'POST'],
    ['OPTIONS', '/health', 'GET'],
    ['HEAD', '/events', 'GET'],
    ['HEAD', '/shutdown', 'POST'],
    ['PATCH', '/messages/ack', 'POST'],
  ];
  for (const [method, path, allow] of cases) {
    const response = await server.ask(path, { method });
    expect([method, path, response.status]).toEqual([method, path, 405]);
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(
      allow.split(', ').toSorted(),
    );
    if (method !== 'HEAD') expect((await read(response)).error.code).toBe('method-not-allowed');
  }
  // Whatever its body is: nobody looks at it.
  const put = await server.ask('/agents', { method: 'PUT', body: 'x' });
  expect(put.status).toBe(405);
  for (const path of ['/nothing', '/agents/', '/agents/x/y/z', '/messages//wait']) {
    expect((await server.ask(path, { method: 'PUT' })).status).toBe(404);
  }
});

test('the scheme of a token is read in any case, by every route that takes one', async () => {
  const server = new TestServer();
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    const headers = { authorization: `${scheme} wrong` };
    const { error } = await read(await server.ask('/agents', { headers }));
    expect(error.code).toBe('unauthorised');
  }
});

test('docs/protocol.md names the required and the optional fields of every body, and no others', async () => {
  const { paths, components } = await read(await new TestServer().ask('/openapi.json'));
  const page = readFileSync('docs/protocol.md', 'utf8');
  const rows = [...page.matchAll(/^\| `POST (\S+)` +\|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, path = '', ...cells]) => [
      path,
      ...cells.map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, field]) => field).toSorted()),
    ],
  );
  const bodies = Object.entries<{ post?: { requestBody?: { content: object } } }>(paths)
    .map(([path, { post }]) => [path, JSON.stringify(post?.requestBody ?? {})] as const)
    .flatMap(([path, body]) => {
      const name = /"\$ref":"#\/components\/schemas\/(\w+)"/.exec(body)?.[1];
      if (name === undefined) return [];
      const { required = [], properties } = components.schemas[name];
      const optional = Object.keys(properties).filter((field) => !required.includes(field));
      return [
        [
          path.replace('{agent}', 'X').replace('{question}', 'Q'),
          required.toSorted(),
          optional.toSorted(),
        ],
      ];
    });
  expect(bodies).toHaveLength(10);
  expect(rows.toSorted()).toEqual(bodies.toSorted());
});
