import { expect, test } from 'vitest';
import { guardLoopback } from './guard-loopback.ts';

function judge(headers: Record<string, string>, url = '/mcp', method = 'POST'): number {
  const own = { host: '127.0.0.1:4711', authorization: 'Bearer x', ...headers };
  return guardLoopback({ method, url, headers: own }, 4711)?.status ?? 200;
}

test('only POST /mcp, under our own address and never from a web page, may pass', () => {
  expect(judge({})).toBe(200);
  expect(judge({}, '/mcp?x=1')).toBe(200);
  expect(judge({ host: 'LocalHost:4711' })).toBe(200);
  expect(judge({ host: 'localhost:4712' })).toBe(403);
  expect(judge({ host: '127.0.0.1.evil.example:4711' })).toBe(403);
  expect(judge({ host: '' })).toBe(403);
  expect(judge({ origin: 'http://127.0.0.1:4711' })).toBe(403);
  expect(judge({}, '/mcp', 'DELETE')).toBe(405);
  expect(judge({}, '/mcp/')).toBe(404);
  expect(judge({}, 'http://127.0.0.1:4711/mcp')).toBe(404);
  expect(judge({}, '/hand-overs/x')).toBe(404);
  expect(judge({}, '/shutdown')).toBe(404);
});
