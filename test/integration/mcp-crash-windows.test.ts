import { describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { launchQuiet, startProxy } from './fixtures/proxy.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const stateOf = async (station: Station, id: string) => (await station.explain(id)).message.state;
const reach = (station: Station, id: string, state: string) =>
  waitUntil(`${id} ${state}`, async () => (await stateOf(station, id)) === state);

describe.runIf(hasTmux)('check_inbox by the stdio proxy', () => {
  test('rule 16: killed between the daemon’s answer and its print, the message is handed out again, marked', async () => {
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

  test('rule 38: a proxy of an earlier life ends with it, and its token opens nothing', async () => {
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
