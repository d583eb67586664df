import { expect, test } from 'vitest';
import type { OwnState } from '../../src/providers/provider.ts';
import type { FakeAppServer } from '../fakes/app-server.ts';
import {
  active,
  begin,
  change,
  count,
  first,
  idle,
  openCodexLife,
  user,
  write,
} from '../support/codex-life.ts';
import { waitUntil } from '../support/wait-until.ts';

const second = '01a1df42-8ff7-7110-895b-8916627e94ff';
const sub = '01a1df42-9754-7280-9759-321305064ded';

test('rule 26: ends of all kinds are told once, with the words of the rollout; those of sub-agents are not', async () => {
  const { server, states, rollout } = await openCodexLife();
  await waitUntil('the thread', () => states.length > 0);
  begin(server, sub, { ...user, parentThreadId: first, status: idle });
  write(rollout, ended('t1', 'one'), ended('t2', undefined), aborted('t3'));
  complete(server, sub, { id: 't0', status: 'completed' });
  complete(server, first, { id: 't1', status: 'completed' });
  complete(server, first, { id: 't1', status: 'completed' });
  complete(server, first, { id: 't2', status: 'failed' });
  complete(server, first, { id: 't3', status: 'interrupted' });
  await waitUntil('three ends', () => endsOf(states).length === 3);
  expect(endsOf(states).map(({ endedAt: _, ...end }) => end)).toEqual([
    { session: first, id: 't1', stop: 1, outcome: 'completed', text: 'one' },
    { session: first, id: 't2', stop: 1, outcome: 'failed', text: '' },
    { session: first, id: 't3', stop: 1, outcome: 'interrupted', text: '' },
  ]);
  expect(states.at(-1)).toMatchObject({ report: { status: 'idle' }, conversation: first });
});

test('rule 26: what ended while nobody listened is told after the reconnection, of this life alone', async () => {
  const lifeAt = 1_794_758_400;
  const turns = [
    { id: 't3', status: 'inProgress', startedAt: lifeAt + 20 },
    { id: 't2', status: 'completed', completedAt: lifeAt + 10 },
    { id: 't1', status: 'completed', completedAt: lifeAt - 10 },
  ];
  const { states, rollout } = await openCodexLife({
    threads: { [first]: { ...user, status: idle, turns } },
    startedAt: lifeAt * 1000,
  });
  write(rollout, ended('t2', 'two'));
  await waitUntil('the end', () => endsOf(states).length === 1);
  const end = { session: first, id: 't2', stop: 1, outcome: 'completed', text: 'two' };
  // The server counts whole seconds.
  expect(endsOf(states)).toEqual([{ ...end, endedAt: (lifeAt + 10) * 1000 + 999 }]);
});

test('rule 26: so is what ended in a thread that a person left before anybody listened again', async () => {
  const turns = [{ id: 't1', status: 'completed', completedAt: 1_794_758_410 }];
  const { states, rollout } = await openCodexLife({
    threads: { [first]: { ...user, status: idle, turns }, [second]: { ...user, status: active } },
  });
  write(rollout, ended('t1', 'one'));
  await waitUntil('the end', () => endsOf(states).length === 1);
  expect(endsOf(states)).toMatchObject([{ session: first, id: 't1', text: 'one' }]);
  expect(states[0]).toMatchObject({ conversation: second });
});

test('a thread that has no turn yet is followed from its first one on, and left when another is shown', async () => {
  const { server, states } = await openCodexLife({ refuseResume: true });
  await waitUntil('the thread', () => states.length > 0);
  await waitUntil('a refusal', () => count(server, 'thread/resume') > 0);
  server.refusals.clear();
  // The first word of it may come before the refusal has been read, and then starts no other try.
  await waitUntil('a second try', () => {
    change(server, first, active);
    return count(server, 'thread/resume') >= 2;
  });
  change(server, first, idle);
  begin(server, second, { ...user, status: idle });
  await waitUntil('it is left', () => count(server, 'thread/unsubscribe') === 1);
  expect(server.requests.find(({ method }) => method === 'thread/unsubscribe')?.params).toEqual({
    threadId: first,
  });
});

function complete(server: FakeAppServer, threadId: string, turn: object): void {
  server.notify({ method: 'turn/completed', params: { threadId, turn } });
}

function endsOf(states: readonly OwnState[]) {
  return states.flatMap(({ turnEnd }) => turnEnd ?? []);
}

/** Records of 0.166.0, shortened. */
function ended(turn_id: string, last_agent_message: string | undefined): object {
  return { type: 'event_msg', payload: { type: 'task_complete', turn_id, last_agent_message } };
}

function aborted(turn_id: string): object {
  return { type: 'event_msg', payload: { type: 'turn_aborted', turn_id, reason: 'interrupted' } };
}
