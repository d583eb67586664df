import { connect } from 'node:net';
import { expect } from 'vitest';
import { ask, encodeRequest, type HerdrError } from '../../../src/terminals/herdr/request.ts';
import { type Hint, Subscription } from '../../../src/terminals/herdr/subscription.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { sweep } from '../../support/sweep.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { chaos, type Json, panes, reader, withHerdr } from './trouble.ts';

const deadlineMs = 60_000;

/** From the first to the last: some, and both ends. */
function places(last: number): readonly number[] {
  const all = Array.from({ length: last + 1 }, (_, at) => at);
  return all.filter((at) => at % sweep(5, 17) === 0 || at >= last - 1);
}

/** What herdr writes to one connection, until `isAll` or its end. */
function readRaw(
  world: HerdrWorld,
  method: string,
  params: Json,
  isAll = (_: string) => false,
): Promise<Buffer> {
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    const socket = connect(world.socket);
    const finish = (): void => {
      socket.destroy();
      done(Buffer.concat(parts));
    };
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      if (isAll(Buffer.concat(parts).toString())) finish();
    });
    socket.on('end', finish);
    socket.on('error', fail);
    socket.write(encodeRequest(method, params));
  });
}

withHerdr('B10: what breaks off', ({ onlyFake }, version) => {
  const isOld = version === '0.6.8';

  onlyFake('at any byte of an answer is no answer, and no other one', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    const pane_id = await world.paneOf(terminal);
    await world.backend.close(); // Its own looks would be cut off instead.
    const report = { source: 'test', agent: 'test', state: 'working' };
    const requests: readonly (readonly [string, Json])[] = [
      ['ping', {}],
      ['workspace.list', {}],
      ['pane.list', {}],
      ['pane.get', { pane_id }],
      ['pane.read', { pane_id, source: 'visible', format: 'text', strip_ansi: true }],
      ['pane.report_agent', { pane_id, ...report }],
      ...(isOld ? [] : ([['session.snapshot', {}]] as const)),
      ...(isOld ? [] : ([['pane.process_info', { pane_id }]] as const)),
      // Refusals have a shape of their own, and what is made, ended or asked in vain may be
      // repeated.
      ['pane.close', { pane_id: 'none' }],
      ['no.such.method', {}],
    ];
    for (const [method, params] of requests) {
      const { length } = await readRaw(world, method, params);
      const isRefused = params['pane_id'] === 'none' || method === 'no.such.method';
      // What cannot be decoded has no method.
      const wanted = method === 'no.such.method' ? {} : { method };
      const request = { method, params, deadlineMs };
      for (const at of places(length)) {
        await chaos(world, { do: 'drop', ...wanted, at, times: 1 });
        const answer = await ask(world.socket, request).then(
          () => 'answered',
          ({ kind }: HerdrError) => kind,
        );
        const whole = isRefused ? 'refused' : 'answered';
        expect([method, at, answer]).toEqual([method, at, at < length ? 'unknown' : whole]);
      }
    }
  });

  onlyFake('at any byte of a subscription says so once, and tells no half event', async (world) => {
    await world.backend.close();
    for (let i = 0; i < 2; i++) {
      await world.ask('workspace.create', { cwd: world.folder, focus: false });
      const [first] = await panes(world);
      await world.ask('pane.close', { pane_id: String(first?.['pane_id']) });
    }
    // What was, is told to everybody who comes.
    const told: Hint[] = [];
    const all = listen(world, isOld, told);
    await all.subscription.acknowledged();
    await waitUntil('both ends', () => told.filter(({ event }) => event === 'pane_closed')[1]);
    await waitUntil('both ends', () => told.filter(({ event }) => event === 'workspace_closed')[1]);
    all.subscription.close();
    const kinds = ['workspace.closed', 'tab.closed', 'pane.closed', 'pane.exited'];
    const subscriptions = kinds.map((type) => ({ type }));
    const isAll = (text: string) => text.split('\n').length > told.length + 1;
    const { length } = await readRaw(world, 'events.subscribe', { subscriptions }, isAll);
    const open: ReturnType<typeof listen>[] = [];
    for (const at of places(length - 1)) {
      await chaos(world, { do: 'drop', method: 'events.subscribe', at, times: 1 });
      const one = listen(world, isOld, []);
      open.push(one);
      await one.subscription.acknowledged().then(
        () => one.isAcknowledged(),
        () => undefined,
      );
    }
    for (const one of open) {
      await waitUntil('its end', () => one.subscription.isOver);
      expect(one.hints).toEqual(told.slice(0, one.hints.length));
      expect(one.losses()).toBe(one.wasAcknowledged() ? 1 : 0);
    }
    const few = sweep(4, 1);
    expect(open.filter((one) => !one.wasAcknowledged()).length).toBeGreaterThan(few);
    expect(open.at(-1)?.hints).toHaveLength(told.length - 1);
  });
});

function listen(world: HerdrWorld, isOld: boolean, hints: Hint[]) {
  let losses = 0;
  let wasAcknowledged = false;
  const events = { hint: (hint: Hint) => void hints.push(hint), lost: () => void losses++ };
  return {
    hints,
    subscription: new Subscription(world.socket, isOld, events, deadlineMs),
    losses: () => losses,
    isAcknowledged: () => {
      wasAcknowledged = true;
    },
    wasAcknowledged: () => wasAcknowledged,
  };
}
