import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addRunning } from './support/mail.ts';
import { tokenOf } from './support/mcp.ts';
import { TestServer } from './support/server.ts';

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** What a CLI puts into each request to its model. */
async function listTools(): Promise<readonly Listed[]> {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const answer = await (await server.post('/mcp', asked, tokenOf(lead))).text();
  const data = /^data: (.+)$/m.exec(answer)?.[1] ?? '';
  const { result } = JSON.parse(data) as { result: { tools: readonly Listed[] } };
  return result.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
}

test('the README says how many tools there are, and how much they add to each request', async () => {
  const tools = await listTools();
  const size = `${(Buffer.byteLength(JSON.stringify(tools)) / 1000).toFixed(1)} KB`;
  const readme = readFileSync('README.md', 'utf8');
  const [, cell] = /^\| tools in each request +\| ([^|]+?) +\|/m.exec(readme) ?? [];
  expect(cell).toBe(`${tools.length} tools, ${size}`);
  expect(readme).toContain(`Its ${words[tools.length]} tools add ${size} to each request`);
});

const words: Readonly<Record<number, string>> = { 7: 'seven', 8: 'eight', 9: 'nine', 10: 'ten' };
