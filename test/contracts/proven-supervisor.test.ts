import { expect, test } from 'vitest';
import { Fault } from '../../src/shared/fault.ts';
import { addRunning, as } from '../support/mail.ts';
import { tokenOf } from '../support/mcp.ts';
import { read, TestServer } from '../support/server.ts';

test('rule 54: the name of a supervisor alone answers nothing; the token of its life does', async () => {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const other = await addRunning(server, 'other');
  const below = { ...other, id: `${other.id}x`, name: 'worker', parent: lead.id };
  await server.ledger.write(async (tx) => void (await tx.agents.insert(below)));
  server.supervisors = new Map([[`${lead.session}/lead`, lead.id]]);
  const [question] = [
    { id: 'qabcdef', asks: 'command', text: 'make', decisions: ['deny'] } as const,
  ];
  server.fleet.asked = { questions: [question], isBlind: false, isComing: false };
  server.fleet.decided = { outcome: 'taken' };
  const deny = (headers: Record<string, string>) =>
    server.ask('/agents/worker/questions/qabcdef', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'deny' }),
    });
  const byName = await deny(as(lead));
  expect([byName.status, (await read(byName)).error.code]).toEqual([403, 'not-allowed']);
  expect((await server.ask('/agents/worker/questions', { headers: as(lead) })).status).toBe(403);
  expect((await deny(tokenOf(lead))).status).toBe(200);
});

test('rule 54: whoever has the name of a removed supervisor may not answer, and is told why', async () => {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const other = await addRunning(server, 'other');
  await server.ledger.write((tx) => tx.agents.setParent(other.id, lead.id));
  server.supervisors = new Map([[`${lead.session}/lead`, 'agt_before']]);
  const answer = await server.ask('/agents/other/questions', { headers: tokenOf(lead) });
  const { error } = await read(answer);
  expect([answer.status, error.code]).toEqual([403, 'not-allowed']);
  expect(error.message).toContain('Another agent was named');
  expect(error.next).toContain('signalbox config set supervisors-answer');
});

test('rule 54: a config.yaml that cannot be read names nobody, and takes no other tool away', async () => {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  server.supervisors = new Fault('config-invalid', 'It cannot be read.', 'Mend it.');
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const text = await (await server.post('/mcp', request, tokenOf(lead))).text();
  expect(text).toContain('"send_message"');
  expect(text).not.toContain('"answer_question"');
});
