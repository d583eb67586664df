import { describe, expect, onTestFinished, test } from 'vitest';
import { openGate } from '../evidence/gate.ts';
import { breaks } from './directives.ts';
import { answerOf } from './read-answer.ts';
import { apiNames, ask, openTestMock, readEvents } from './test-client.ts';

describe.each(apiNames)('%s', (api) => {
  test.each(breaks)('an answer that breaks after: %s', async (after) => {
    const mock = await openTestMock();
    const response = await ask(mock, api, { text: `@@break ${after}` });
    expect(response.status).toBe(200);
    const { text, isWhole } = await readAll(response);
    expect(isWhole).toBe(after === 'error');
    expect(text.includes('Half')).toBe(after === 'word');
    expect(text.includes('mock failure in the stream')).toBe(after === 'error');
    expect(text === '').toBe(after === 'headers');
    const logged = await mock.waitFor(({ outcome }) => outcome !== undefined);
    expect(logged).toMatchObject({
      outcome: 'broken',
      sent: after === 'word' ? 'output' : 'headers',
    });
    expect(logged.outputAt !== undefined).toBe(after === 'word');
  });

  test.each(breaks)('through the gate, an answer breaks after the same: %s', async (after) => {
    const mock = await openTestMock();
    const gate = await openGate(mock.port);
    onTestFinished(() => gate.close());
    const direct = await readAll(await ask(mock, api, { text: `@@break ${after}` }));
    const through = await readAll(
      await ask({ ...mock, url: gate.url }, api, { text: `@@break ${after}` }),
    );
    expect(through.isWhole).toBe(direct.isWhole);
    expect(count(through.text)).toBe(count(direct.text));
  });

  test('a break for a number of times lets the next request through', async () => {
    const mock = await openTestMock();
    const text = '@@break role 1 @@say at last';
    await readAll(await ask(mock, api, { text }));
    expect(answerOf(api, await readEvents(await ask(mock, api, { text })))).toBe('at last');
    expect(mock.requests.map(({ sent }) => sent)).toEqual(['headers', 'output']);
  });

  test('seven failures in a row, and an answer after them', async () => {
    const mock = await openTestMock();
    const text = '@@fail 500 7 @@say at last';
    for (let at = 0; at < 7; at++) await (await ask(mock, api, { text })).text();
    expect(answerOf(api, await readEvents(await ask(mock, api, { text })))).toBe('at last');
    expect(mock.requests.map(({ sent }) => sent)).toEqual([
      ...Array.from({ length: 7 }, () => 'status'),
      'output',
    ]);
  });

  test.each([400, 429])('a refusal with %i is one before any output', async (status) => {
    const mock = await openTestMock();
    const response = await ask(mock, api, { text: `@@fail ${status}` });
    expect(response.status).toBe(status);
    await response.text();
    expect(mock.requests[0]).toMatchObject({ outcome: 'failed', sent: 'status' });
  });
});

test('requests of turns with a text get another answer than they ask for, until that ends', async () => {
  const mock = await openTestMock();
  const asked = { text: 'with a word @@say hello' };
  mock.answerWith('a word', [{ do: 'fail', status: 429, times: Infinity }]);
  const other = await readEvents(await ask(mock, 'anthropic', { text: '@@say hello' }));
  expect(answerOf('anthropic', other)).toBe('hello');
  expect((await ask(mock, 'anthropic', asked)).status).toBe(429);
  const side = await readEvents(await ask(mock, 'anthropic', { ...asked, tools: [] }));
  expect(answerOf('anthropic', side)).toBe('Lab');
  mock.answerWith('a word', undefined);
  const healthy = await readEvents(await ask(mock, 'anthropic', asked));
  expect(answerOf('anthropic', healthy)).toBe('hello');
});

test('an answer whose client goes away after its first word has brought output', async () => {
  const mock = await openTestMock();
  const stop = new AbortController();
  const response = await ask(mock, 'gemini', { text: '@@say one @@hang' }, stop.signal);
  await response.body?.getReader().read();
  stop.abort();
  const logged = await mock.waitFor(({ outcome }) => outcome !== undefined);
  expect(logged).toMatchObject({ outcome: 'client-closed', sent: 'output' });
});

test('a request that nothing was said to has been sent nothing', async () => {
  const mock = await openTestMock();
  const stop = new AbortController();
  const response = ask(mock, 'gemini', { text: '@@hang' }, stop.signal);
  await mock.waitFor(() => true);
  stop.abort();
  await expect(response).rejects.toThrow('aborted');
  const logged = await mock.waitFor(({ outcome }) => outcome !== undefined);
  expect(logged.sent).toBeUndefined();
});

async function readAll(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return { text, isWhole: true };
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return { text, isWhole: false };
  }
}

function count(text: string): number {
  return text.split('data: ').length;
}
