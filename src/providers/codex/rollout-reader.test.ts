import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { RolloutReader } from './rollout-reader.ts';

const mark = 'mark_01a_secret';
const input = JSON.stringify({
  type: 'event_msg',
  payload: {
    type: 'item_completed',
    turn_id: 't1',
    item: { type: 'UserMessage', id: 'u1', content: [{ type: 'text', text: mark }] },
  },
});
const output = JSON.stringify({
  type: 'response_item',
  payload: {
    type: 'message',
    id: 'm1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Yes' }],
  },
});

test('it reads on where it stopped, also in the middle of a line', async () => {
  const { path, read } = follow();
  writeFileSync(path, `{"type":"session_meta"}\n${input.slice(0, 40)}`);
  expect(await read()).toEqual({ found: undefined, isWhole: false });
  appendFileSync(path, `${input.slice(40)}\n`);
  expect(await read()).toEqual({ found: 'landed', isWhole: true });
  appendFileSync(path, `${output}\n`);
  expect(await read()).toEqual({ found: 'seen', isWhole: true });
});

test('a file that is not there yet holds nothing, and that is known', async () => {
  const { read } = follow();
  expect(await read()).toEqual({ found: undefined, isWhole: true });
});

test('O5: a broken line is passed over, but then what is missing may have stood there', async () => {
  const { path, read } = follow();
  writeFileSync(path, `${input.slice(0, 60)}\n${input}\n${output}\n`);
  expect(await read()).toEqual({ found: 'seen', isWhole: false });
});

test('O5: so is a line of more than 16 MB', async () => {
  const { path, read } = follow();
  writeFileSync(path, `{"x":"${'y'.repeat(17 * 1024 * 1024)}"}\n${input}\n`);
  expect(await read()).toEqual({ found: 'landed', isWhole: false });
});

test('a file that was written anew is judged anew', async () => {
  const { path, read } = follow();
  writeFileSync(path, `${input}\n${output}\n${output}\n`);
  expect((await read()).found).toBe('seen');
  writeFileSync(path, `${input}\n`);
  expect(await read()).toEqual({ found: 'landed', isWhole: true });
});

function follow() {
  const path = join(tempHome(), 'rollout-1.jsonl');
  const reader = new RolloutReader();
  reader.add([path], 'told');
  const read = async () => {
    await reader.read();
    return { found: reader.find(mark)?.found, isWhole: reader.isWhole };
  };
  return { path, read };
}
