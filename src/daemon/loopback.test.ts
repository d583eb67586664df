import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { tempHome } from '../../test/support/home.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { Fault } from '../shared/fault.ts';
import { Loopback } from './loopback.ts';

const full = new Fault('ledger-unwritable', 'The disk is full.', 'Free some space.');

test('agents over HTTP get their tools back although the ledger could not be read at first', async () => {
  const world = await open();
  world.fault = full;
  await world.loopback.review();
  expect(await world.areServed()).toEqual([false, false]);
  world.fault = undefined;
  await world.pass(1000);
  expect(await world.areServed()).toEqual([true, true]);
  // A ledger that cannot be read says nothing about who uses a port.
  world.fault = full;
  await world.loopback.review();
  expect(await world.areServed()).toEqual([true, true]);
});

test('one port whose loss cannot be noted keeps no other port from its agents', async () => {
  const world = await open();
  const other = await listen(world.ports[0]);
  world.noteFault = full;
  await world.loopback.review();
  expect(await world.areServed()).toEqual([false, true]);
  world.noteFault = undefined;
  await world.pass(1000);
  expect([...world.noted]).toEqual([world.ports[0]]);
  await close(other);
  await world.pass(2000);
  expect(await world.areServed()).toEqual([true, true]);
});

test('a port that another program had is not served before the loss of its tokens is noted', async () => {
  const world = await open();
  const other = await listen(world.ports[0]);
  world.noteFault = full;
  await world.loopback.review();
  await close(other);
  await world.pass(1000);
  expect(await world.areServed()).toEqual([false, true]);
  world.noteFault = undefined;
  await world.pass(2000);
  expect([...world.noted]).toEqual([world.ports[0]]);
  expect(await world.areServed()).toEqual([true, true]);
});

/** Agents were given two ports. */
async function open() {
  const held = [await listen(0), await listen(0)] as const;
  const ports = [portOf(held[0]), portOf(held[1])] as const;
  for (const server of held) await close(server);
  const clock = new ManualClock();
  const quiet = () => undefined;
  let rounds = 0;
  const world = {
    ports,
    noted: new Set<number>(),
    fault: undefined as Fault | undefined,
    noteFault: undefined as Fault | undefined,
    areServed: () => Promise.all(ports.map(isServed)),
    /** Until a review that has begun by then is over. */
    pass: async (ms: number): Promise<void> => {
      const before = rounds;
      await clock.pass(ms);
      await waitUntil('a review', () => rounds > before);
      await world.loopback.review();
    },
    loopback: new Loopback({
      fetch: async () => new Response(null, { status: 204 }),
      stateFolder: tempHome(),
      clock,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      isGiven: async () => true,
      listPorts: async () => {
        rounds++;
        if (world.fault) throw world.fault;
        return ports;
      },
      onTaken: async (port) => {
        if (world.noteFault) throw world.noteFault;
        world.noted.add(port);
      },
      onLifeEnd: () => quiet,
    }),
  };
  onTestFinished(() => world.loopback.close());
  return world;
}

async function isServed(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/mcp`).then(
    () => true,
    () => false,
  );
}

async function listen(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return server;
}

function close(server: Server): Promise<unknown> {
  return new Promise((done) => server.close(done));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
