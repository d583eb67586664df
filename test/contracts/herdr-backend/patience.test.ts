import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { HerdrWorld } from '../../support/herdr.ts';
import { sweepList } from '../../support/sweep.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { chaos, count, killServer, panes, reader, untilReady, withHerdr } from './trouble.ts';

/** Answers that somebody who is not herdr gives, and when they were asked for. */
async function listen(world: HerdrWorld, answer: (method: string) => string | undefined) {
  mkdirSync(dirname(world.socket), { recursive: true });
  const asked: { method: string; at: number }[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (line) => {
      const { method } = JSON.parse(String(line)) as { method: string };
      asked.push({ method, at: performance.now() });
      const text = answer(method);
      if (text !== undefined) socket.end(text);
    });
  });
  await new Promise<void>((done) => server.listen(world.socket, done));
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())));
  return asked;
}

/** Replaces the program on the PATH by one that counts its starts and fails. */
function breakProgram(world: HerdrWorld): () => number {
  const starts = join(world.folder, 'starts');
  const text = `#!/bin/sh\necho start >> '${starts}'\nexit 3\n`;
  writeFileSync(join(world.folder, 'bin', 'herdr'), text, { mode: 0o755 });
  return () => (existsSync(starts) ? readFileSync(starts, 'utf8').split('\n').length - 1 : 0);
}

const refused = '{"id":"x","error":{"code":"pane_not_found","message":"no"}}';
const pong = '{"id":"x","result":{"type":"pong","version":"0.8.0","protocol":20}}\n';

withHerdr('B11: while herdr', ({ onlyFake }) => {
  onlyFake(
    'is away it is hardly asked, started or spoken of',
    { tags: ['full'] },
    async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      const starts = breakProgram(world);
      await killServer(world);
      await waitUntil('the loss', () => world.backend.state().state === 'connecting');
      await waitUntil('two tries', () => starts() >= 2);
      const before = starts();
      await delay(2500);
      // The intervals grow: 1 s, 3 s, 9 s.
      expect(starts() - before).toBeLessThanOrEqual(1);
      for (let i = 0; i < 20; i++) {
        await expect(world.backend.list()).rejects.toMatchObject({ code: 'backend-lost' });
        await expect(world.backend.look(terminal)).rejects.toMatchObject({ code: 'backend-lost' });
      }
      expect(starts() - before).toBeLessThanOrEqual(1);
      expect(world.heard.states.map(({ state }) => state)).toEqual(['ready', 'connecting']);
    },
  );

  for (const [what, command] of sweepList([
    ['breaks off the subscription', { do: 'drop', method: 'events.subscribe', at: 5 }],
    ['refuses the subscription', { do: 'garbage', method: 'events.subscribe', text: refused }],
    ['gives no snapshot behind the subscription', { do: 'garbage', method: 'snapshot' }],
  ] as const)) {
    onlyFake(`${what}, the intervals grow`, async (world, version) => {
      const all = version === '0.6.8' ? 'workspace.list' : 'session.snapshot';
      const method = command.method === 'snapshot' ? all : command.method;
      await chaos(world, { ...command, method });
      await chaos(world, { do: 'reset' });
      await chaos(world, { do: 'cut' });
      await waitUntil('a try', async () => (await pings(world)) === 1);
      await delay(1500);
      // The first came after 1 s, the second comes after 3 s.
      expect(await pings(world)).toBe(1);
      expect(world.heard.states.map(({ state }) => state)).toEqual(['ready', 'connecting']);
      await chaos(world, { do: 'calm' });
      await untilReady(world.backend);
      expect(await pings(world)).toBe(2);
      expect(world.heard.states).toHaveLength(3);
    });
  }
});

async function pings(world: HerdrWorld): Promise<number> {
  return (await count(world)).requests['ping'] ?? 0;
}

withHerdr(
  'B11: somebody else at the socket',
  ({ onlyFake }) => {
    onlyFake(
      'who ends the subscription during the set-up is not herdr’s return',
      { tags: ['full'] },
      async (world) => {
        await world.backend.close();
        await world.ask('server.stop');
        await waitUntil('the socket is free', () => !existsSync(world.socket));
        const snapshot =
          '{"id":"x","result":{"snapshot":{"panes":[],"agents":[],"workspaces":[]}}}\n';
        const asked = await listen(world, (method) => {
          if (method === 'ping') return pong;
          return method === 'session.snapshot' ? snapshot : '{"id":"x","result":{"type":"ok"}}\n';
        });
        world.heard.states.length = 0;
        const next = world.open();
        onTestFinished(() => next.close());
        const started = next.start().catch((error: unknown) => error);
        const tries = () => asked.filter(({ method }) => method === 'ping').length;
        await waitUntil('three tries', () => tries() >= 3);
        const [first = 0, second = 0, third = 0] = asked
          .filter(({ method }) => method === 'ping')
          .map(({ at }) => at);
        expect(third - second).toBeGreaterThan(2 * (second - first));
        expect(world.heard.states.length).toBeLessThanOrEqual(2);
        await next.close();
        expect(await started).toMatchObject({ code: 'backend-lost' });
      },
    );

    onlyFake('who is too old is said so, and nothing is started', async (world) => {
      await world.backend.close();
      await world.ask('server.stop');
      await waitUntil('the socket is free', () => !existsSync(world.socket));
      const asked = await listen(world, () => pong.replace('0.8.0', '0.5.9'));
      const next = world.open();
      onTestFinished(() => next.close());
      await expect(next.start()).rejects.toMatchObject({ code: 'backend-too-old' });
      expect(next.state().state).toBe('down');
      await expect(next.list()).rejects.toMatchObject({ code: 'backend-too-old' });
      expect(asked.map(({ method }) => method)).toEqual(['ping']);
    });
  },
  ['0.8.0'],
);

withHerdr(
  'B12: the server',
  ({ check, onlyFake }) => {
    check('is started where its socket is absent or stale', { tags: ['full'] }, async (world) => {
      await killServer(world);
      expect(existsSync(world.socket)).toBe(true);
      await waitUntil('the loss', () => world.heard.states.length > 1);
      await untilReady(world.backend);
      await world.ask('server.stop');
      await waitUntil('the loss', () => world.heard.states.length > 3);
      await untilReady(world.backend);
      expect(await panes(world)).toEqual([]);
    });

    onlyFake(
      'has our settings in our own session, and none of ours in a person’s',
      async (world) => {
        const settings = (): string[] =>
          readdirSync(join(world.folder, 'state', 'herdr', 'ldg_test')).filter((name) =>
            name.endsWith('.toml'),
          );
        expect(settings()).toEqual(['config.toml']);
        await world.backend.close();
        await world.ask('server.stop');
        rmSync(join(world.folder, 'state'), { recursive: true });
        const person = new HerdrWorld('0.8.0', {}, 'default');
        await person.start();
        const folder = join(person.folder, 'state', 'herdr', 'ldg_test');
        expect(readdirSync(folder).filter((name) => name.endsWith('.toml'))).toEqual([]);
      },
    );

    onlyFake('that is not installed is said so at once, and looked for rarely', async (world) => {
      await world.backend.close();
      await world.ask('server.stop');
      await waitUntil('the socket is free', () => !existsSync(world.socket));
      rmSync(join(world.folder, 'bin', 'herdr'));
      world.env['PATH'] = join(world.folder, 'bin');
      const next = world.open();
      onTestFinished(() => next.close());
      await expect(next.start()).rejects.toMatchObject({ code: 'backend-missing' });
      expect(next.state().state).toBe('down');
      const before = performance.now();
      await expect(next.start()).rejects.toMatchObject({ code: 'backend-missing' });
      // A start that waits for herdr is given up after 15 s.
      expect(performance.now() - before).toBeLessThan(10_000);
    });

    onlyFake('whose socket’s path is too long is refused when it is opened', async (world) => {
      world.env['XDG_CONFIG_HOME'] = join(world.folder, 'x'.repeat(100));
      expect(() => world.open()).toThrow(expect.objectContaining({ code: 'path-too-long' }));
      world.env['XDG_CONFIG_HOME'] = join(world.folder, 'c');
    });
  },
  ['0.8.0'],
);
