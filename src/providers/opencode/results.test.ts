import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asArray, asObject } from '../../shared/json.ts';
import { readResults } from './results.ts';

/**
 * What the server listed after a handoff whose worker reported twice; OpenCode had cancelled the
 * call by then.
 */
const file = join(import.meta.dirname, 'recorded-handoff.json');
const listed = asArray(JSON.parse(readFileSync(file, 'utf8')));

test('rule 17: what the result of a call holds is on record, whatever its client cancels', () => {
  const [result = '', ...others] = readResults(listed);
  expect(others).toEqual([]);
  expect(result.match(/--- end of msg_\w+/g)).toHaveLength(3);
});

test('rule 17: a call that failed or goes on has no result', () => {
  const parts = listed.flatMap((message) => asArray(asObject(message)['parts']).map(asObject));
  const call = parts.find(({ type }) => type === 'tool');
  for (const status of ['running', 'error', 'pending']) {
    const state = { ...asObject(call?.['state']), status };
    expect(readResults([{ parts: [{ ...call, state }] }])).toEqual([]);
  }
});
