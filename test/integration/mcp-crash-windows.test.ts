import { describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { launchQuiet, startProxy } from './fixtures/proxy.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const stateOf = async (station: Station, id: string) => (await station.explain(id)).message.state;
const reach = (station: Station, id: string, state: string) =>
  waitUntil(`${id} ${state}`, async () => (await stateOf(station, id)) === state);

/** The proxy's word that a part was printed has been written down. */
const confirmed = (station: Station, id: string, count: number) =>
  waitUntil(`${count} parts of ${id}`, async () =>
    (await station.explain(id)).attempts.some(({ parts }) => parts?.handed === count),
  );

describe.runIf(hasTmux)('check_inbox by the stdio proxy', () => {
  test('rule 16: killed between the daemon’s answer and its print, the message is handed out again, marked', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const env = await launchQuiet(station, 'worker');
    const id = await station.send('worker', 'only once');
    const proxy = startProxy(env, { failPoint: 'mcp.answered' });
    proxy.begin('tools/call', { name: 'check_inbox' });
    await proxy.held();
    expect(await stateOf(station, id)).toBe('injected');
    expect(proxy.lines()).toEqual([]);
    await proxy.kill();
    await reach(station, id, 'uncertain');
    const next = startProxy(env);
    const { structuredContent } = await next.call('check_inbox');
    expect(structuredContent.messages).toMatchObject([{ id, body: 'only once', repeat: true }]);
  });

  test('rule 17: what was printed is acked by the agent’s next call', async () => {
    const station = await openStation();
    const env = await launchQuiet(station, 'worker');
    const id = await station.send('worker', 'read me');
    const proxy = startProxy(env);
    const { structuredContent, _meta } = await proxy.call('check_inbox');
    expect(structuredContent.messages).toMatchObject([{ id, body: 'read me' }]);
    expect(_meta).toBeUndefined();
    const handedOut = async () => (await station.explain(id)).attempts.at(-1)?.handedOutAt;
    await waitUntil('the note that it was handed out', handedOut);
    expect(await stateOf(station, id)).toBe('injected');
    expect((await proxy.call('check_inbox')).structuredContent.messages).toEqual([]);
    expect(await stateOf(station, id)).toBe('acked');
  });

  test('rule 17: a cancel that crosses the printed result takes it back before the next call is heard', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const env = await launchQuiet(station, 'worker');
    const id = await station.send('worker', 'thrown away');
    const proxy = startProxy(env);
    const request = proxy.begin('tools/call', { name: 'check_inbox' });
    await proxy.answerTo(request);
    const handedOut = async () => (await station.explain(id)).attempts.at(-1)?.handedOutAt;
    await waitUntil('the note that it was handed out', handedOut);
    const cancel = { method: 'notifications/cancelled', params: { requestId: request } };
    proxy.write(JSON.stringify({ jsonrpc: '2.0', ...cancel }));
    const { structuredContent } = await proxy.call('check_inbox');
    expect(structuredContent.messages).toMatchObject([{ id, repeat: true }]);
  });

  test('rule 17: a cancel takes the printed result back although the daemon that handed it out is gone', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const env = await launchQuiet(station, 'worker');
    const id = await station.send('worker', 'thrown away');
    const proxy = startProxy(env);
    const request = proxy.begin('tools/call', { name: 'check_inbox' });
    await proxy.answerTo(request);
    const handedOut = async () => (await station.explain(id)).attempts.at(-1)?.handedOutAt;
    await waitUntil('the note that it was handed out', handedOut);
    await station.killDaemon();
    await station.run(['up']);
    const cancel = { method: 'notifications/cancelled', params: { requestId: request } };
    proxy.write(JSON.stringify({ jsonrpc: '2.0', ...cancel }));
    const { structuredContent } = await proxy.call('check_inbox');
    expect(structuredContent.messages).toMatchObject([{ id, repeat: true }]);
  });

  test('rule 16: killed after its print and before it could say so, it is offered again, marked', async () => {
    const station = await openStation();
    const env = await launchQuiet(station, 'worker');
    const id = await station.send('worker', 'printed');
    const proxy = startProxy(env, { failPoint: 'mcp.printed' });
    proxy.begin('tools/call', { name: 'check_inbox' });
    await proxy.held();
    await proxy.kill();
    await reach(station, id, 'uncertain');
    const { structuredContent } = await startProxy(env).call('check_inbox');
    expect(structuredContent.messages).toMatchObject([{ id, repeat: true }]);
  });

  test('rules 16, 17: the daemon killed with a part in its hands, the place is kept and that part is marked', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const env = await launchQuiet(station, 'worker');
    const body = Array.from({ length: 700 }, (_, i) => `line ${i} ${'é€😀'.repeat(6)}\n`).join('');
    const args = ['send', 'worker', '--file', '-', '--json'];
    const { id } = (await station.run(args, { input: body })).json<{ id: string }>();
    const parts: { number: number; body: string; repeat: boolean }[] = [];
    const reader = startProxy(env);
    const read = async () => {
      const { structuredContent } = await reader.call('check_inbox');
      const [{ part, body: text, repeat = false }] = structuredContent.messages;
      parts.push({ number: part.number, body: text, repeat });
      return { of: part.of as number, remaining: structuredContent.remaining as number };
    };
    const { of } = await read();
    expect(of).toBeGreaterThan(4);
    await confirmed(station, id, 1);
    // Between two calls: nothing is in anybody's hands.
    await station.killDaemon();
    await station.run(['up']);
    await read();
    await confirmed(station, id, 2);
    // In the middle of the third: the proxy has it, and has not said that it was printed.
    const held = startProxy(env, { failPoint: 'mcp.answered' });
    held.begin('tools/call', { name: 'check_inbox' });
    await held.held();
    await station.killDaemon();
    await held.kill();
    await station.run(['up']);
    expect(await stateOf(station, id)).toBe('injected');
    while ((await read()).remaining > 0) expect(parts.length).toBeLessThan(of + 1);
    expect(parts.map(({ number }) => number)).toEqual(Array.from({ length: of }, (_, i) => i + 1));
    expect(parts.filter(({ repeat }) => repeat).map(({ number }) => number)).toEqual([3]);
    expect(parts.map((part) => part.body).join('')).toBe(body);
    await reader.call('list_agents');
    expect(await stateOf(station, id)).toBe('acked');
  });

  test('rule 38: a proxy of an earlier life ends with it, and its token opens nothing', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const env = await launchQuiet(station, 'worker');
    const proxy = startProxy(env);
    expect((await proxy.call('list_agents')).isError).toBeUndefined();
    await station.run(['restart', 'worker']);
    await proxy.ended;
    const refused = await startProxy(env).call('list_agents');
    expect(refused.content[0].text).toMatch(/^That token is of no agent that runs\./);
  });
});
