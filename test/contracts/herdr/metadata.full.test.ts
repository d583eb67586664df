import { expect, test } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import { type Json, openHerdr, type World } from './world.ts';

test('tokens are set, changed and cleared, and told of when that changed something', async () => {
  const world = await openHerdr();
  const { workspace, pane } = await world.workspace();
  for (const [method, kind, event, thing, id] of [
    [
      'workspace.report_metadata',
      'workspace.metadata_updated',
      'workspace_metadata_updated',
      'workspace',
      { workspace_id: workspace },
    ],
    ['pane.report_metadata', 'pane.updated', 'pane_updated', 'pane', { pane_id: pane }],
  ] as const) {
    const talk = await world.subscribe(kind);
    const report = (tokens: Json) => world.ask(method, { ...id, source: 'signalbox', tokens });
    await report({ a: '  one\n', b: 'x'.repeat(100) });
    const info = async () => (await world.ask(`${thing}.get`, id))[thing];
    expect(await info()).toMatchObject({ tokens: { a: 'one', b: 'x'.repeat(80) } });
    await report({ a: 'one' });
    await report({ a: ' \n ', b: null });
    expect(await info()).not.toHaveProperty('tokens');
    await report({ c: 'last' });
    await waitUntil('the last change', () =>
      talk.events.some(({ data }) => JSON.stringify(data).includes('last')),
    );
    expect(talk.events.map((each) => each.event)).toEqual([event, event, event]);
  }
});

test('tokens expire', async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  await tell(world, workspace, { tokens: { a: 'one', b: 'two' }, ttl_ms: 200 });
  await tell(world, workspace, { tokens: { b: 'three' } });
  await waitUntil('one of them is gone', async () => {
    const { workspace: info } = await world.ask('workspace.get', { workspace_id: workspace });
    return JSON.stringify((info as Json)['tokens']) === '{"b":"three"}';
  });
});

test('what is too much or of the wrong form is refused', async () => {
  const world = await openHerdr();
  const { workspace, pane } = await world.workspace();
  const many = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, 'v']));
  const refusal = (params: Json) =>
    world.refusal('workspace.report_metadata', { workspace_id: workspace, source: 's', ...params });
  for (const source of ['', 'a b', 'x'.repeat(81), 'ä']) {
    expect(await refusal({ source, tokens: { a: 'b' } })).toBe('invalid_metadata_source');
  }
  const wrong = [{}, { 'a.b': 'x' }, { '': 'x' }, { ['x'.repeat(33)]: 'y' }, many(17)];
  for (const tokens of wrong) expect(await refusal({ tokens })).toBe('invalid_metadata_token');
  for (const ttl_ms of [0, 86_400_001]) {
    expect(await refusal({ tokens: { a: 'b' }, ttl_ms })).toBe('invalid_metadata_ttl');
  }
  expect(await refusal({ tokens: { a: 1 } })).toBe('invalid_request');
  await tell(world, workspace, { tokens: many(16) });
  await tell(world, workspace, { tokens: many(16, 16) });
  expect(await refusal({ tokens: { more: 'x' } })).toBe('metadata_token_limit');
  const none = { pane_id: pane, source: 's' };
  expect(await world.refusal('pane.report_metadata', none)).toBe('invalid_metadata_request');
  const both = { ...none, title: 'x', clear_title: true };
  expect(await world.refusal('pane.report_metadata', both)).toBe('invalid_metadata_request');
  const state_labels = { sleeping: 'x' };
  expect(await world.refusal('pane.report_metadata', { ...none, state_labels })).toBe(
    'invalid_state_label',
  );
});

test('numbers of reports are kept for each source, up to a number of sources', async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  await tell(world, workspace, { tokens: { a: 'new' }, seq: 5 });
  await tell(world, workspace, { tokens: { a: 'old' }, seq: 5 });
  for (let i = 1; i < 32; i++) {
    await tell(world, workspace, { source: `s${i}`, tokens: { b: `${i}` }, seq: 1 });
  }
  const more = { workspace_id: workspace, source: 'one-more', tokens: { b: 'x' }, seq: 1 };
  expect(await world.refusal('workspace.report_metadata', more)).toBe(
    'metadata_sequence_source_limit',
  );
  const { workspace: info } = await world.ask('workspace.get', { workspace_id: workspace });
  expect(info).toMatchObject({ tokens: { a: 'new', b: '31' } });
});

test('tokens do not outlive the server', async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  await tell(world, workspace, { tokens: { a: 'one' } });
  await world.ask('server.stop');
  await world.herdr.restart();
  const { workspace: info } = await world.ask('workspace.get', { workspace_id: workspace });
  expect(info).not.toHaveProperty('tokens');
});

function tell(world: World, workspace: string, params: Json): Promise<Json> {
  const whole = { workspace_id: workspace, source: 'signalbox', ...params };
  return world.ask('workspace.report_metadata', whole);
}
