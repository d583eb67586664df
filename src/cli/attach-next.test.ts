import { expect, test } from 'vitest';
import type { AgentView } from '../protocol/agents.ts';
import type { AttachView } from '../protocol/terminals.ts';
import { Fault } from '../shared/fault.ts';
import { findNext } from './attach-next.ts';

/** Agents that wait for an answer, the oldest first, and what the way to each comes to. */
function open(ways: Readonly<Record<string, Fault | undefined>>) {
  const names = Object.keys(ways);
  const agents = names.map((name, n) => ({
    ...{ id: `agt_${name}`, name, session: 'default', fullName: `default/${name}` },
    ...{ status: 'waiting', detail: 'permission', backend: 'tmux', epoch: 1 },
    since: new Date(1000 + n).toISOString(),
  })) as unknown as readonly AgentView[];
  const told: string[] = [];
  const client = {
    listAgents: async () => agents,
    attachCommand: async (id: string) => {
      const fault = ways[id.replace('agt_', '')];
      if (fault) throw fault;
      return { agent: { id }, argv: ['tmux'], kind: 'tmux' } as unknown as AttachView;
    },
  };
  const find = () => findNext(client, {}, (line) => void told.push(line));
  return { find, told };
}

const gone = new Fault('terminal-gone', 'Its terminal is gone.', 'Restart it.');
const lost = new Fault('backend-lost', 'tmux does not answer.', 'Wait.');

test('an agent whose terminal nobody can get to is passed over, and told, and the next one is it', async () => {
  const { find, told } = open({ lead: gone, ada: lost, bob: undefined, eve: undefined });
  expect((await find()).agent).toMatchObject({ id: 'agt_bob' });
  expect(told).toEqual([
    'signalbox: lead is passed over: Its terminal is gone. Restart it.',
    'signalbox: ada is passed over: tmux does not answer. Wait.',
  ]);
});

test('where there is a way to none of them, the command comes to what stands in the way of the first', async () => {
  const { find, told } = open({ lead: gone, ada: lost });
  await expect(find()).rejects.toBe(gone);
  expect(told).toHaveLength(2);
});

test('what is no trouble of one agent ends the command, and nobody waits where nobody does', async () => {
  const refused = new Fault('not-allowed', 'Only the user may.', 'Ask the user.');
  const { find, told } = open({ lead: refused, ada: undefined });
  await expect(find()).rejects.toBe(refused);
  expect(told).toEqual([]);
  await expect(open({}).find()).rejects.toMatchObject({ code: 'agent-not-found' });
});
