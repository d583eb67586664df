import { expect, test } from 'vitest';
import { addRunning, as } from '../support/mail.ts';
import { tokenOf } from '../support/mcp.ts';
import { read, TestServer } from '../support/server.ts';

test('rule 54: the name of a supervisor alone answers nothing; the token of its life does', async () => {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const other = await addRunning(server, 'other');
  const below = { ...other, id: `${other.id}x`, name: 'worker', parent: lead.id };
  await server.ledger.write(async (tx) => void (await tx.agents.insert(below)));
  server.supervisors = [`${lead.session}/lead`];
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
