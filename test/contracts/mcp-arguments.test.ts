import { describe, expect, test } from 'vitest';
import { addRunning } from '../support/mail.ts';
import { callTool, give, postTool, tokenOf } from '../support/mcp.ts';
import { TestServer } from '../support/server.ts';

async function openTeam() {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const worker = await addRunning(server, 'worker');
  return { server, lead, worker };
}

const listed = async (server: TestServer) => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const text = await (await server.post('/mcp', list, tokenOf({ name: 'worker' }))).text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '').result.tools;
};

describe('the arguments of tools', () => {
  test('every schema is closed, and every text in it is bounded, in the list that models see', async () => {
    const { server } = await openTeam();
    for (const { name, inputSchema } of await listed(server)) {
      expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
      for (const [argument, schema] of Object.entries<Record<string, unknown>>(
        inputSchema.properties,
      )) {
        const text = (schema['items'] ?? schema) as Record<string, unknown>;
        // Bodies are bounded as `send` bounds them, in bytes, by a setting.
        if (text['type'] !== 'string' || argument === 'body' || argument === 'task') continue;
        expect([name, argument, text['maxLength']]).toEqual([name, argument, 200]);
      }
    }
  });

  test('an unknown argument is refused by its name, with the right one, and nothing is done', async () => {
    const { server, lead, worker } = await openTeam();
    const task = await give(server, lead.id, worker.id);
    const refusal = async (tool: string, args: object) => {
      const { result, text } = await callTool(server, worker, tool, args);
      expect(result.error.code).toBe('invalid-input');
      return text;
    };
    expect(await refusal('send_message', { body: 'x', too: 'lead' })).toBe(
      'send_message has no argument "too"; did you mean `to`? Nothing was done. It takes: body, to (optional), reply_to (optional), question (optional), urgent (optional), key (optional).',
    );
    const hints: readonly (readonly [string, string, string])[] = [
      ['send_message', 'recipient', 'to'],
      ['send_message', 'receiver', 'to'],
      ['send_message', 'text', 'body'],
      ['send_message', 'in_reply_to', 'reply_to'],
      ['assign', 'prompt', 'task'],
      ['assign', 'agent', 'profile'],
      ['handoff', 'timeout', 'timeout_seconds'],
      ['check_inbox', 'limit', 'max'],
      ['ack', 'message_ids', 'ids'],
      ['get_output', 'name', 'agent'],
    ];
    for (const [tool, given, right] of hints) {
      const text = await refusal(tool, { [given]: 'lead' });
      expect(text).toContain(`${tool} has no argument "${given}"; did you mean \`${right}\`?`);
    }
    expect(await refusal('list_agents', { all: true })).toMatch(
      /no argument "all"\. .*: nothing\.$/,
    );
    // Nothing was sent, and the task is still owed.
    const { result } = await callTool(server, lead, 'check_inbox');
    expect(result.messages).toEqual([]);
    expect(await server.ledger.read((tx) => tx.debts.find(task))).not.toHaveProperty('endedAt');
  });

  test('an argument named __proto__ is refused as well, and nothing is done', async () => {
    const { server, lead, worker } = await openTeam();
    // A copy of an object that is made key by key loses it without a word.
    for (const given of ['{"__proto__":"lead","to":"lead","body":"x"}', '{"__proto__":{}}']) {
      const params = `{"name":"send_message","arguments":${given}}`;
      const request = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`;
      for (const body of [request, `[${request}]`]) {
        const response = await server.post('/mcp', body, tokenOf(worker));
        expect(response.status).toBe(400);
        const { error } = (await response.json()) as { error: { code: number; message: string } };
        expect(error.code).toBe(-32602);
        expect(error.message).toMatch(/no argument "__proto__"\. Nothing was done\./);
      }
    }
    expect((await callTool(server, lead, 'check_inbox')).result.messages).toEqual([]);
  });

  test('the names of CAO are taken for ours, and stand in no list', async () => {
    const { server, lead, worker } = await openTeam();
    const told = { receiver_id: 'lead', message: 'By its names.' };
    const sent = await callTool(server, worker, 'send_message', told);
    expect(sent.result.to.name).toBe('lead');
    const again = { terminal_id: 'lead', body: 'x' };
    expect((await callTool(server, worker, 'send_message', again)).result.to.name).toBe('lead');
    const given = { agent_profile: 'worker', message: 'Do it.' };
    const { result } = await callTool(server, lead, 'assign', given);
    expect(result.agent).toBe('worker');
    const asked = { agent_profile: 'worker', message: 'And this.', timeout_seconds: 1 };
    expect((await callTool(server, lead, 'handoff', asked)).result.outcome).toBe('pending');
    const output = await callTool(server, worker, 'get_output', { terminal_id: 'lead' });
    expect(output.result).toMatchObject({ agent: 'lead' });
    const schemas = JSON.stringify(await listed(server));
    for (const name of ['receiver_id', 'agent_profile', 'terminal_id']) {
      expect(schemas).not.toContain(name);
    }
  });

  test('two names for one argument that differ are refused; the same twice is one', async () => {
    const { server, worker } = await openTeam();
    const both = { receiver_id: 'lead', to: 'user', body: 'x' };
    const refused = await callTool(server, worker, 'send_message', both);
    expect(refused.result.error.code).toBe('invalid-input');
    expect(refused.text).toBe(
      '`receiver_id` and `to` are two names for one argument of send_message, and they differ. Nothing was done. Give `to` alone.',
    );
    const same = { receiver_id: 'lead', to: 'lead', terminal_id: '', message: 'x', body: 'x' };
    expect((await callTool(server, worker, 'send_message', same)).result.to.name).toBe('lead');
  });

  test('what a CLI adds to every call of its own is not held against the model', async () => {
    const { server, worker } = await openTeam();
    // Gemini CLI 0.61.0 adds it to every schema, tells its model to set it, and hands it on.
    const given = { body: 'x', to: 'lead', wait_for_previous: true };
    expect((await callTool(server, worker, 'send_message', given)).result.to.name).toBe('lead');
  });

  test('rule 47: whatever is too long or raw in an argument comes back short and visible', async () => {
    const { server, worker } = await openTeam();
    const long = 'm'.repeat(1e6);
    const raw = '\u001b[2J\u202emsg_\u009b';
    const calls: readonly (readonly [string, object])[] = [
      ['send_message', { body: 'x', to: 'lead', reply_to: long }],
      ['send_message', { body: 'x', to: 'lead', reply_to: raw }],
      ['send_message', { body: 'x', reply_to: long }],
      ['send_message', { body: 'x', to: long }],
      ['send_message', { body: 'x', to: raw }],
      ['send_message', { body: 'x', to: 'lead', key: long }],
      ['send_message', { body: 'x', to: 'lead', [long]: 1 }],
      ['send_message', { body: 'x', to: 'lead', [raw]: 1 }],
      ['assign', { profile: long, task: 'x' }],
      ['assign', { profile: raw, task: 'x' }],
      ['assign', { profile: 'lead', task: 'x', name: long }],
      ['assign', { profile: 'generic', task: 'x', name: raw }],
      ['handoff', { profile: 'lead', task: 'x', key: long }],
      ['check_inbox', { message: long }],
      ['check_inbox', { message: raw }],
      ['ack', { ids: [long] }],
      ['ack', { ids: [raw] }],
      ['get_output', { agent: long }],
      [long, {}],
      [raw, {}],
    ];
    for (const [tool, args] of calls) {
      const text = await (await postTool(server, worker, tool, args)).text();
      const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
      const seen = `${tool.slice(0, 20)} ${JSON.stringify(args).slice(0, 60)}`;
      expect([seen, result?.isError]).toEqual([seen, true]);
      expect([seen, Buffer.byteLength(text) < 4000]).toEqual([seen, true]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
      expect(result.content[0].text).not.toMatch(/[\u001b\u007f-\u009f\u202e]/);
    }
  });

  test('rule 47: of a request of the protocol nothing long or raw comes back either', async () => {
    const { server, worker } = await openTeam();
    const long = 'm'.repeat(1e6);
    const requests = [
      { jsonrpc: '2.0', id: 1, method: long },
      { jsonrpc: '2.0', id: long, method: 'tools/list' },
      { jsonrpc: long, id: 1, method: 'tools/list' },
      [{ jsonrpc: '2.0', id: long, method: 'tools/list' }],
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_agents', [long]: 1 } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: { [long]: 1 } } },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: long,
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        },
      },
    ];
    for (const request of requests) {
      const text = await (await server.post('/mcp', request, tokenOf(worker))).text();
      expect(Buffer.byteLength(text)).toBeLessThan(4000);
    }
  });
});
