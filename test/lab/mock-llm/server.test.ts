import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerOf, callOf } from './read-answer.ts';
import { apiNames, ask, openTestMock, readEvents } from './test-client.ts';

describe.each(apiNames)('%s', (api) => {
  test('a streamed answer holds the words that the prompt asked for', async () => {
    const mock = await openTestMock();
    const response = await ask(mock, api, { text: '@@say hello\\nworld @@stream 3 words 1ms' });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = await readEvents(response);
    expect(answerOf(api, events)).toBe('hello\nworldword1 word2 word3 ');
  });

  test('an answer in one piece holds them, too', async () => {
    const mock = await openTestMock();
    const response = await ask(mock, api, { text: '@@say a @@say b', isStream: false });
    expect(answerOf(api, [await response.json()])).toBe('ab');
  });

  test('a tool call uses the name on offer, and its result brings the rest of the script', async () => {
    const mock = await openTestMock();
    const text = '@@say first @@tool touch x @@say then @@tool touch y @@say last';
    const first = await readEvents(await ask(mock, api, { text }));
    expect(answerOf(api, first)).toBe('first');
    expect(callOf(api, first)).toEqual({ name: 'Bash', arguments: { command: 'touch x' } });
    const second = await readEvents(await ask(mock, api, { text, calls: 1 }));
    expect(answerOf(api, second)).toBe('then');
    expect(callOf(api, second)).toEqual({ name: 'Bash', arguments: { command: 'touch y' } });
    const third = await readEvents(await ask(mock, api, { text, calls: 2 }));
    expect(answerOf(api, third)).toBe('last');
    expect(callOf(api, third)).toBeUndefined();
  });

  test('a tool call in one piece is a call as well', async () => {
    const mock = await openTestMock();
    const response = await ask(mock, api, { text: '@@tool ls', isStream: false });
    expect(callOf(api, [await response.json()])).toEqual({
      name: 'Bash',
      arguments: { command: 'ls' },
    });
  });

  test('a failure has its status and comes before any answer', async () => {
    const mock = await openTestMock();
    const response = await ask(mock, api, { text: '@@fail 401' });
    expect(response.status).toBe(401);
    expect(JSON.stringify(await response.json())).toContain('mock failure 401');
    expect(mock.requests[0]?.outcome).toBe('failed');
  });

  test('a failure for a number of times lets the next request through', async () => {
    const mock = await openTestMock();
    const statuses: number[] = [];
    for (let at = 0; at < 3; at++) {
      const response = await ask(mock, api, { text: '@@fail 500 2 @@say at last' });
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses).toEqual([500, 500, 200]);
  });

  test('a client that closes in the middle of a stream is noticed', async () => {
    const mock = await openTestMock();
    const stop = new AbortController();
    const response = await ask(mock, api, { text: '@@stream 100000 words 5ms' }, stop.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    stop.abort();
    const logged = await mock.waitFor(({ outcome }) => outcome !== undefined, 5000);
    expect(logged.outcome).toBe('client-closed');
  });

  test('a hang says nothing until the client gives up', async () => {
    const mock = await openTestMock();
    const stop = new AbortController();
    const response = ask(mock, api, { text: '@@hang' }, stop.signal);
    await mock.waitFor(() => true, 5000);
    stop.abort();
    await expect(response).rejects.toThrow('aborted');
    const logged = await mock.waitFor(({ outcome }) => outcome !== undefined, 5000);
    expect(logged.outcome).toBe('client-closed');
  });

  test('a request without tools is a side request and plays no script', async () => {
    const mock = await openTestMock();
    const events = await readEvents(await ask(mock, api, { text: '@@fail 500', tools: [] }));
    expect(answerOf(api, events)).toBe('Lab');
    expect(mock.requests[0]).toMatchObject({ isSide: true, toolsCount: 0 });
  });

  test('a big answer has exactly the bytes that were asked for', async () => {
    const mock = await openTestMock();
    const events = await readEvents(await ask(mock, api, { text: '@@big 1000000' }));
    const answer = answerOf(api, events);
    expect(Buffer.byteLength(answer)).toBe(1_000_000);
    expect(answer.split('\n').at(-2)).toContain('line 15625');
  });

  test('a prompt without a directive gets a short answer that proves what was read', async () => {
    const mock = await openTestMock();
    const events = await readEvents(await ask(mock, api, { text: 'grüße' }));
    expect(answerOf(api, events)).toBe(
      `Noted 7 bytes, sha256 ${mock.requests[0]?.sha256.slice(0, 8)}.`,
    );
  });
});

test('a prompt after an interrupted one is read alone, although Claude Code sends both in one message', async () => {
  const mock = await openTestMock();
  const texts = ['@@fail 500', '[Request interrupted by user]', '@@say next'];
  const response = await fetch(`${mock.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({
      stream: true,
      tools: [{ name: 'Bash' }],
      messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }],
    }),
  });
  expect(answerOf('anthropic', await readEvents(response))).toBe('next');
  expect(mock.requests[0]?.lastUserText).toBe('@@say next');
});

test('closing the server ends what is being answered', async () => {
  const mock = await openTestMock();
  const hanging = ask(mock, 'anthropic', { text: '@@hang' });
  await mock.waitFor(() => true, 5000);
  await Promise.all([expect(hanging).rejects.toThrow('fetch failed'), mock.close()]);
});

test('the log is a file of one line for each request that ended, without the bodies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-mock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logFile = join(folder, 'requests.ndjson');
  const mock = await openTestMock({ logFile });
  await (await ask(mock, 'gemini', { text: '@@say one' })).text();
  await (await ask(mock, 'responses', { text: '@@fail 500' })).text();
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      n: 1,
      api: 'gemini',
      lastUserText: '@@say one',
      outcome: 'finished',
    }),
    expect.objectContaining({ n: 2, api: 'responses', length: 10, outcome: 'failed' }),
  ]);
  expect(lines.join()).not.toContain('"body"');
  expect(mock.requests[0]?.body).toContain('functionDeclarations');
});

test('waiting for a request that never comes says which ones did', async () => {
  const mock = await openTestMock();
  await (await ask(mock, 'anthropic', { text: '@@say seen' })).text();
  await expect(mock.waitFor(() => false, 50)).rejects.toThrow(/No such request.*\n#1.*@@say seen/);
});

test.each([
  ['/v1/models', 'GET', 'mock-model'],
  ['/v1/messages/count_tokens', 'POST', 'input_tokens'],
  ['/v1beta/models/m:countTokens', 'POST', 'totalTokens'],
])('%s is answered', async (path, method, word) => {
  const mock = await openTestMock();
  const response = await fetch(mock.url + path, {
    method,
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(word);
  expect(mock.requests).toEqual([]);
});

test('what the mock was taught is played by its name, and only the mock knows it', async () => {
  const mock = await openTestMock();
  mock.teach('greeting', [
    { do: 'say', text: 'hello' },
    { do: 'tool', command: 'ls' },
    { do: 'say', text: 'bye' },
  ]);
  const text = 'Please do this. @@play greeting';
  const first = await readEvents(await ask(mock, 'anthropic', { text }));
  expect(answerOf('anthropic', first)).toBe('hello');
  const second = await readEvents(await ask(mock, 'anthropic', { text, calls: 1 }));
  expect(answerOf('anthropic', second)).toBe('bye');
  const unknown = await readEvents(await ask(mock, 'anthropic', { text: '@@play other' }));
  expect(answerOf('anthropic', unknown)).toContain('never taught other');
});

test('a taught step waits until the lab lets it, and ends with a client that goes away', async () => {
  const mock = await openTestMock();
  let release = (): void => undefined;
  const isTime = new Promise<void>((done) => {
    release = done;
  });
  mock.teach('held', [
    { do: 'until', isTime },
    { do: 'say', text: 'at last' },
  ]);
  const gone = new AbortController();
  const lost = ask(mock, 'gemini', { text: '@@play held' }, gone.signal);
  const kept = ask(mock, 'gemini', { text: '@@play held' });
  await mock.waitFor(({ n }) => n === 2);
  gone.abort();
  await expect(lost).rejects.toThrow();
  await mock.waitFor(({ outcome }) => outcome === 'client-closed');
  release();
  expect(answerOf('gemini', await readEvents(await kept))).toBe('at last');
});

test('an unknown path is not found, and is no request to a model', async () => {
  const mock = await openTestMock();
  expect((await fetch(`${mock.url}/v1/embeddings`, { method: 'POST' })).status).toBe(404);
  expect(mock.requests).toEqual([]);
});
