import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const secret = 'Hunter-2/very+secret';

test('a value behind a name that speaks of a secret is taken out, at any depth, and the line stays JSON', () => {
  const facts = {
    token: secret,
    SIGNALBOX_TOKEN: secret,
    tokenHash: secret,
    nested: { deep: [{ apiKey: secret, api_key: secret, 'x-api-key': secret }] },
    headers: { authorization: `Basic ${secret}`, cookie: secret },
    credentials: [secret, secret],
    password: `with "quotes" and \\ ${secret}`,
    secrets: 12345,
  };
  const line = redact(JSON.stringify(facts));
  expect(line).not.toContain('very+secret');
  expect(line).not.toContain('12345');
  expect(JSON.parse(line).nested.deep[0]).toEqual({
    apiKey: '[redacted]',
    api_key: '[redacted]',
    'x-api-key': '[redacted]',
  });
});

test('a secret inside a text is taken out by its look', () => {
  const texts = [
    'Authorization: Bearer abc.def-123',
    `tok_${'0a'.repeat(13)} was shown`,
    'sk-ant-REDACTED',
    `ghp_${'a1'.repeat(18)}`,
    'ANTHROPIC_API_KEY=whatever-it-is',
    `a document: ${JSON.stringify({ token: 'whatever-it-is' })}`,
  ];
  for (const text of texts) {
    const line = redact(JSON.stringify({ text }));
    expect(line, text).toContain('[redacted]');
    expect(line).not.toMatch(/abc\.def|0a0a0a|api03|a1a1a1|whatever/);
    expect(() => JSON.parse(line)).not.toThrow();
  }
});

test('what is no secret stays: ids, names, numbers of tokens', () => {
  const line = JSON.stringify({
    agent: 'agt_01m7fm4r7700mhhpxgnrkmc3x9',
    message: 'msg_01m7fm4r7700mhhpxgnrkmc3x9',
    text: 'the token of worker-2 was ignored',
    path: '/agents/basic/stop',
  });
  expect(redact(line)).toBe(line);
});

test('a long line takes linear time', () => {
  const line = JSON.stringify({ text: '"'.repeat(200_000), other: 'a_'.repeat(200_000) });
  // Quadratic, this would take minutes: the test's own limit tells.
  expect(redact(line)).toBe(line);
});
