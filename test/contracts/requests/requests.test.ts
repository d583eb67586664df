import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ofAgents } from './of-agents.ts';
import { ofMessages } from './of-messages.ts';
import { ofQuestions } from './of-questions.ts';
import type { Row } from './row.ts';
import { type Actor, type Answer, actors, Stage } from './stage.ts';

/**
 * Each request, by every way that offers it, as each kind of caller: one code behind all of them
 * means one result, one fault and one refusal.
 */

const table = [...ofMessages, ...ofAgents, ...ofQuestions];
const ways = ['command', 'http', 'tool'] as const;

/**
 * What is asked in one process with the wrapper of a one-shot command: `cli-run-task` tests it. And
 * what the page in a browser alone asks: `dashboard-page` and `dashboard-feed`.
 */
const elsewhere = ['begin-run', 'follow-page', 'show-page'];

test('the table has every request there is', () => {
  const verbs = readdirSync('src/requests')
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => readFileSync(`src/requests/${file}`, 'utf8').includes(' = defineRequest('))
    .map((file) => file.replace('.ts', ''));
  expect(verbs.length).toBeGreaterThan(20);
  expect(verbs.filter((verb) => !elsewhere.includes(verb)).toSorted()).toEqual(
    [...new Set(table.map(({ verb }) => verb))].toSorted(),
  );
});

describe.each(actors.filter((actor) => actor !== 'stranger'))('%s', (actor) => {
  test.each(table.map((row) => [row.verb, row.wish, row] as const))(
    '%s: %s',
    async (_, __, row) => {
      const answers = await askAll(row, actor);
      const [first] = answers;
      // A row that no way offers would compare nothing.
      expect(first).toBeDefined();
      for (const { way, told } of answers) {
        expect([way, 'fault' in told ? told.fault : 'done']).toEqual([way, row.expected[actor]]);
        expect([way, told]).toEqual([way, first?.told]);
      }
    },
  );
});

test.each(table.map((row) => [row.verb, row.wish, row] as const))(
  'a stranger is refused and changes nothing: %s, %s',
  async (_, __, row) => {
    for (const way of ways) {
      const ask = row[way];
      if (!ask) continue;
      const stage = await Stage.open();
      const before = await stage.rows();
      const told = await ask(stage, 'stranger');
      expect([way, told]).toEqual([way, expect.objectContaining({ fault: expect.any(String) })]);
      const expected = way === 'command' ? 'agent-not-found' : 'unauthorised';
      expect('fault' in told && told.fault).toBe(expected);
      expect(await stage.rows()).toBe(before);
    }
  },
);

/** Each way on a stage of its own. Ids and times differ between two, and are named alike. */
async function askAll(row: Row, actor: Actor) {
  const answers: { readonly way: string; readonly told: Answer }[] = [];
  for (const way of ways) {
    const ask = row[way];
    if (!ask || (way === 'tool' && actor !== 'agent')) continue;
    const stage = await Stage.open();
    const told = await ask(stage, actor);
    const read = 'result' in told && row.read ? { result: row.read(told.result, stage) } : told;
    answers.push({ way, told: alike(read, stage) });
  }
  return answers;
}

function alike<T>(value: T, stage: Stage): T {
  const names = [
    ...Object.entries(stage.messages).map(([name, id]) => [id, `<${name}>`] as const),
    ...Object.entries(stage.agents).map(([name, { id }]) => [id, `<${name}>`] as const),
    [stage.task, '<task>'] as const,
  ];
  let text = JSON.stringify(value ?? null);
  for (const [id, name] of names) text = text.replaceAll(id, name);
  text = text.replaceAll(/\b(?:agt|msg|over)_[0-9a-z]{10,}/g, '<id>');
  return JSON.parse(text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'));
}
