import { expect, onTestFinished, test } from 'vitest';
import { ToolClient } from './tool-client.ts';

/** A server that answers `initialize`, and a call with these lines. */
function open(onCall: string) {
  const program = `
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const answer = (rest) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
      if (method === 'initialize') answer({ result: {} });
      if (method === 'tools/call') { ${onCall} }
    });`;
  const server = { command: process.execPath, args: ['-e', program] };
  const { PATH = '' } = process.env;
  const tools = new ToolClient({ PATH, SIGNALBOX_MCP_SERVER: JSON.stringify(server) });
  onTestFinished(() => tools.close());
  return tools;
}

test('a result is its text and its document', async () => {
  const tools = open(`
    console.log('no JSON');
    answer({ result: { content: [{ type: 'text', text: 'hi' }], structuredContent: { a: 1 } } });`);
  const hi = { isError: false, text: 'hi', document: { a: 1 } };
  expect(await tools.call('x', {})).toEqual(hi);
  expect(await tools.call('x', {})).toEqual(hi);
});

test('an error of the protocol is one of the tool', async () => {
  const tools = open(`answer({ error: { code: -32000, message: 'not now' } });`);
  expect(await tools.call('x', {})).toMatchObject({ isError: true, text: 'not now' });
});

test('a server that is killed in a call is said to be gone, and the next call starts another', async () => {
  const tools = open(`process.kill(process.pid, 'SIGKILL');`);
  for (let n = 0; n < 2; n++) {
    const { isError, text } = await tools.call('x', {});
    expect({ isError, text }).toEqual({
      isError: true,
      text: 'the MCP server ended before it answered',
    });
  }
});

test('without a server, or with one that cannot be started, a call says so', async () => {
  const none = await new ToolClient({}).call('x', {});
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining('no tools') });
  const server = JSON.stringify({ command: '/nowhere/at/all', args: [] });
  const gone = await new ToolClient({ SIGNALBOX_MCP_SERVER: server }).call('x', {});
  expect(gone.isError).toBe(true);
});
