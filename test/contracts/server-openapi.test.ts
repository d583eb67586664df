import { expect, test } from 'vitest';
import { read, TestServer } from '../support/server.ts';

test('the OpenAPI document describes every route, from the schemas that check them', async () => {
  const server = new TestServer();
  const document = await read(await server.ask('/openapi.json'));
  expect(Object.keys(document.paths).toSorted()).toEqual([
    '/agents',
    '/agents/{agent}',
    '/agents/{agent}/attach',
    '/agents/{agent}/inbox',
    '/agents/{agent}/inbox/check',
    '/agents/{agent}/look',
    '/agents/{agent}/output',
    '/agents/{agent}/restart',
    '/agents/{agent}/stop',
    '/agents/{agent}/stream',
    '/events',
    '/events/recent',
    '/hand-overs/{id}',
    '/health',
    '/hooks/confirm/{id}',
    '/hooks/wait',
    '/hooks/{event}',
    '/mcp',
    '/messages',
    '/messages/ack',
    '/messages/{id}',
    '/messages/{id}/wait',
    '/shutdown',
    '/tasks',
    '/tasks/{id}/answer',
  ]);
  const { Agent, LaunchRequest } = document.components.schemas;
  expect(Agent.required).not.toContain('detail');
  expect(Agent.required).toContain('inbox');
  expect(LaunchRequest.additionalProperties).toBe(false);
  expect(document.paths['/agents'].post.responses.default).toBeDefined();
});
