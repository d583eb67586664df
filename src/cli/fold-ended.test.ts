import { expect, test } from 'vitest';
import type { AgentView } from '../protocol/agents.ts';
import { describeFolded, partEnded } from './fold-ended.ts';

const empty = { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 };

function ended(name: string, more: Partial<AgentView> = {}): AgentView {
  return {
    ...{ id: `agt_${name}`, name, session: 'shop', provider: 'claude-code', backend: 'tmux' },
    ...{ epoch: 1, status: 'exited', source: 'process', since: '', cwd: '/', inbox: empty },
    ...{ endedBy: 'task', endingCode: 'ended-with-task' },
    ...more,
  };
}

const namesOf = (agents: readonly AgentView[]) => agents.map(({ name }) => name);

test('rule 55: workers that ended by themselves are folded, and none that has anything to say', () => {
  const agents = [
    ended('one'),
    ended('two', { endedBy: 'rest' }),
    ended('mail', { inbox: { ...empty, queued: 1 } }),
    ended('letter', { inbox: { ...empty, dead: 1 } }),
    ended('back', { endingCode: 'coming-back' }),
    ended('stopped', { endedBy: 'person' }),
    ended('child', { endedBy: 'parent' }),
    ended('above'),
    ended('below', { status: 'idle', parent: { id: 'agt_above', name: 'above' } }),
  ];
  const { shown, folded } = partEnded(agents);
  expect(namesOf(folded)).toEqual(['one', 'two']);
  expect(namesOf(shown)).toEqual(namesOf(agents.slice(2)));
});

test('the line says how many they are, and how they ended', () => {
  const all = ' → signalbox ls --all';
  expect(describeFolded([ended('one')])).toBe(`1 worker ended with its task${all}`);
  const two = [ended('one'), ended('two')];
  expect(describeFolded(two)).toBe(`2 workers ended with their tasks${all}`);
  const mixed = [...two, ended('three', { endedBy: 'rest' })];
  expect(describeFolded(mixed)).toBe(`3 workers ended by themselves${all}`);
  expect(describeFolded([ended('one', { endedBy: 'rest' })])).toBe(
    `1 worker ended by itself${all}`,
  );
  // The command behind it must not be cut off in a window of 60 columns.
  for (const how of ['task', 'rest'] as const) {
    const many = [...Array(120).fill(ended('one')), ended('last', { endedBy: how })];
    expect(describeFolded(many).length).toBeLessThanOrEqual(60);
  }
});
