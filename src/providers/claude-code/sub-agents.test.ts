import { expect, test } from 'vitest';
import { readHook } from './hooks.ts';

/** Payloads of 2.1.325, shortened. */
const task = { status: 'running', description: 'Look around' };
const subAgent = { ...task, id: 'a67e', type: 'subagent', agent_type: 'general-purpose' };
const shell = { ...task, id: 'b12', type: 'shell', command: 'npm run dev' };

function told(event: string, body: object): unknown {
  return readHook({ event, body: { session_id: 'aea7', ...body } })?.subAgents;
}

test('rule 51a: a sub-agent that begins, one that ends, and all that work at the end of a turn', () => {
  expect(told('SubagentStart', { agent_id: 'a67e' })).toEqual({ began: 'a67e' });
  expect(told('SubagentStop', { agent_id: 'a67e', background_tasks: [subAgent] })).toEqual({
    ended: 'a67e',
  });
  expect(told('Stop', { background_tasks: [subAgent] })).toEqual({ running: ['a67e'] });
  expect(told('Stop', { background_tasks: [] })).toEqual({ running: [] });
  const teammate = { ...task, id: 't1', type: 'teammate' };
  expect(told('Stop', { background_tasks: [teammate, subAgent] })).toEqual({
    running: ['t1', 'a67e'],
  });
});

test('rule 51a: a shell that runs beside it asks nothing, and counts for nothing', () => {
  expect(told('Stop', { background_tasks: [shell] })).toEqual({ running: [] });
  expect(told('Stop', { background_tasks: [shell, subAgent] })).toEqual({ running: ['a67e'] });
});

test('rule 38: beyond that a sub-agent’s hooks mean nothing', () => {
  const body = { session_id: 'aea7', agent_id: 'a67e', prompt_id: 'p1' };
  expect(readHook({ event: 'SubagentStart', body })).toEqual({ subAgents: { began: 'a67e' } });
  expect(readHook({ event: 'Stop', body })).toBeUndefined();
});

test('rule 51a: a version that does not list them has told nothing', () => {
  expect(told('Stop', {})).toBeUndefined();
  expect(told('UserPromptSubmit', { background_tasks: [subAgent] })).toBeUndefined();
});

test('rule 55: the end of a turn tells how many tasks go on behind it, of whichever type', () => {
  const end = (more: object) =>
    readHook({ event: 'Stop', body: { session_id: 'aea7', prompt_id: 'p1', ...more } })?.turnEnd;
  expect(end({ background_tasks: [shell, subAgent] })).toMatchObject({ background: 2 });
  expect(end({ background_tasks: [] })).toMatchObject({ background: 0 });
  // An older version does not say.
  expect(end({})).not.toHaveProperty('background');
});
