import { readFileSync } from 'node:fs';
import { type CallToolResult, type ListToolsResult, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { call, readText } from '../../src/client/socket/http.ts';

/**
 * The same tools by the SDK in one process, at its least: no schema is built, checked or turned
 * into another, their list comes from a file, and a call is one request to the daemon. What the
 * proxy is compared with.
 */
async function main(): Promise<void> {
  const [listPath = ''] = process.argv.slice(2);
  const { SIGNALBOX_SOCKET: socket = '', SIGNALBOX_TOKEN: token = '' } = process.env;
  const { tools } = JSON.parse(readFileSync(listPath, 'utf8')) as ListToolsResult;
  const server = new Server(
    { name: 'signalbox', version: '0' },
    { capabilities: { tools: {} }, instructions: 'The tools of a team.' },
  );
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async (): Promise<CallToolResult> => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = { socket, method: 'GET', path: '/agents', headers } as const;
    const answer = await call(asked, AbortSignal.timeout(10_000));
    if (answer.outcome !== 'answered') throw new Error(answer.outcome);
    return { content: [{ type: 'text', text: await readText(answer.response) }] };
  });
  await server.connect(new StdioServerTransport());
}

void main();
