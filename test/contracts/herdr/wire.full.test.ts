import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encode, onlyFake, openHerdr, Talk } from './world.ts';

const ping = encode({ id: 'p', method: 'ping', params: {} });

test('a ping tells version and protocol, and the socket is for its owner alone', async () => {
  const world = await openHerdr();
  const pong = await world.ask('ping');
  expect(pong).toMatchObject({ type: 'pong', version: expect.any(String) });
  expect(pong['protocol']).toBeTypeOf('number');
  expect(statSync(world.herdr.socket).mode & 0o777).toBe(0o600);
});

test('row 1: a second line on a subscription kills the connection', async () => {
  const world = await openHerdr();
  const talk = await world.subscribe('pane.created');
  talk.socket.write(encode({ id: 't', method: 'events.subscribe', params: { subscriptions: [] } }));
  expect(await talk.untilEnded()).toBe('ECONNRESET');
  expect(talk.lines).toHaveLength(1);
});

test('row 2: a half-close ends a subscription and a wait, without a line', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const subscription = await world.subscribe('pane.updated');
  const match = { type: 'substring', value: 'never' };
  const params = { pane_id: pane, source: 'visible', match };
  const wait = world.talk(encode({ id: 'w', method: 'pane.wait_for_output', params }));
  for (const talk of [subscription, wait]) talk.socket.end();
  expect(await subscription.untilEnded()).toBe('end');
  expect(await wait.untilEnded()).toBe('end');
  expect(wait.lines).toEqual([]);
});

test('row 3: one request per connection', async () => {
  const world = await openHerdr();
  const talk = world.talk(`${ping}${ping}`);
  expect(['ECONNRESET', 'end']).toContain(await talk.untilEnded());
  expect(talk.lines).toHaveLength(1);
});

test('a request is answered although its writer has closed its side already', async () => {
  const world = await openHerdr();
  const talk = world.talk(ping);
  talk.socket.end();
  expect(await talk.line(0)).toMatchObject({ id: 'p', result: { type: 'pong' } });
});

test('row 10: what cannot be decoded is answered with an empty id', async () => {
  const world = await openHerdr();
  const unknown = encode({ id: 'mine', method: 'no.such', params: {} });
  for (const line of ['{"id":"mine"\n', '[1]\n', unknown]) {
    const answer = await world.talk(line).line(0);
    expect(answer).toMatchObject({ id: '', error: { code: 'invalid_request' } });
    expect(String((answer['error'] as { message: string }).message)).toMatch(/^invalid request: /);
  }
});

test('row 11: params are mandatory, an id is a string, a read needs a source', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const broken = [
    { id: 'x', method: 'ping' },
    { id: 7, method: 'ping', params: {} },
    { id: 'x', method: 'pane.read', params: { pane_id: pane } },
    { id: 'x', method: 'pane.read', params: { pane_id: pane, source: 'recent-unwrapped' } },
  ];
  for (const request of broken) {
    const answer = await world.talk(encode(request)).line(0);
    expect(answer).toMatchObject({ id: '', error: { code: 'invalid_request' } });
  }
  const blind = { id: 'x', method: 'ping', params: { unknown: true }, more: 1 };
  expect(await world.talk(encode(blind)).line(0)).toMatchObject({ id: 'x' });
});

test('row 23: a request that comes late and in pieces is answered all the same', async () => {
  const world = await openHerdr({ without: [] });
  const talk = world.talk(ping.slice(0, 10));
  await world.ask('ping');
  talk.socket.write(ping.slice(10));
  expect(await talk.line(0)).toMatchObject({ id: 'p' });
});

test('row 25: after a crash the socket refuses, after a stop it is gone; a start clears it away', async () => {
  const world = await openHerdr();
  const { socket } = world.herdr;
  await world.herdr.kill();
  expect(existsSync(socket)).toBe(true);
  expect(await new Talk(socket, ping).untilEnded()).toBe('ECONNREFUSED');
  await world.herdr.restart();
  await world.ask('server.stop');
  await world.herdr.restart();
  await world.cli('server', 'stop');
  expect(await new Talk(socket, ping).untilEnded()).toBe('ENOENT');
});

test('a stop ends subscriptions by closing them', async () => {
  const world = await openHerdr();
  const talk = await world.subscribe('pane.created');
  await world.ask('server.stop');
  expect(['end', 'ECONNRESET']).toContain(await talk.untilEnded());
  expect(talk.lines).toHaveLength(1);
});

test('N6: a blank, an unfinished, an oversized and a missing first line get no answer', async () => {
  const world = await openHerdr();
  const silent = world.talk('');
  const blank = world.talk('\n');
  const unfinished = world.talk(ping.trimEnd());
  unfinished.socket.end();
  const big = encode({ id: 'b', method: 'ping', params: { filler: 'x'.repeat(1024 * 1024) } });
  const oversized = world.talk(big);
  for (const talk of [blank, unfinished, oversized, silent]) {
    await talk.untilEnded();
    expect(talk.raw).toEqual([]);
  }
});

onlyFake('its habits can be left out one by one', async () => {
  const world = await openHerdr({
    without: ['one-request', 'fragile-streams', 'empty-id', 'silent-drop', 'slow-first-line'],
  });
  const pipelined = world.talk(`${ping}${ping}`);
  await pipelined.line(1);
  const talk = await world.subscribe('pane.created');
  talk.socket.write('anything\n');
  await world.workspace();
  await talk.untilEvent('pane_created');
  const unknown = encode({ id: 'mine', method: 'no.such', params: {} });
  expect(await world.talk(unknown).line(0)).toMatchObject({ id: 'mine' });
  expect(await world.talk('\n').line(0)).toMatchObject({ error: { code: 'invalid_request' } });
});
