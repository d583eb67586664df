import type { Agent } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { TestServer } from './server.ts';

/**
 * What tests of the tools do, without a socket: one call over HTTP, as a client that does not
 * confirm, or one that does.
 */
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects, and fails where it is not there
  readonly result: any;
  readonly text: string;
}

export const tokenOf = ({ name }: Pick<Agent, 'name'>) => ({ authorization: `Bearer tok_${name}` });

let calls = 0;

export function postTool(
  server: TestServer,
  agent: Pick<Agent, 'name'>,
  name: string,
  args: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = { jsonrpc: '2.0', id: ++calls, method: 'tools/call' };
  const body = { ...request, params: { name, arguments: args } };
  return server.post('/mcp', body, { ...tokenOf(agent), ...headers });
}

export async function callTool(...asked: Parameters<typeof postTool>): Promise<Called> {
  return readCall(await (await postTool(...asked)).text());
}

/** Gives a task, as `assign` does with an agent that runs; its id. */
export async function give(
  server: TestServer,
  from: string,
  to: string,
  body = 'work',
): Promise<string> {
  const draft = { kind: 'task', from, to, body } as const;
  const [given] = await accept(server.ledger, systemClock, [draft]);
  if (given?.outcome !== 'accepted') throw new Error(given?.outcome);
  return given.message.id;
}

export function readCall(stream: string): Called {
  const [, data = 'null'] = /^data: (.*)$/m.exec(stream) ?? [];
  const { result } = JSON.parse(data) ?? {};
  return { result: result?.structuredContent, text: result?.content?.[0]?.text ?? stream };
}
