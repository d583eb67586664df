import { expect } from 'vitest';
import { beginAct, loseSight, recordInjected } from '../../src/delivery/claim.ts';
import { prove } from '../../src/delivery/prove.ts';
import { endEpoch } from '../../src/fleet/epochs.ts';
import { contract, type World } from './world.ts';

const begin = (world: World, token: number) =>
  world.ledger.write((tx) => beginAct(tx, world.here, token));
const inject = (world: World, token: number) =>
  world.ledger.write((tx) => recordInjected(tx, world.clock.now(), token, 'done'));

contract('claims', (check) => {
  check('rules 8, 13: evidence is asked only about what it can still decide', async (world) => {
    const worker = await world.add('worker');
    const unproven = async () =>
      (await world.ledger.read((tx) => tx.claims.listUnproven(worker.id))).map(
        ({ token }) => token,
      );
    const carry = async (route: 'native' | 'paste', provable: boolean, isPointer = false) => {
      const { id } = await world.send(worker);
      const { claim } = await world.take(worker, route, { provable });
      if (isPointer) await world.ledger.write((tx) => tx.claims.setPointers([id], claim.token));
      expect(await unproven()).not.toContain(claim.token);
      await inject(world, claim.token);
      return claim.token;
    };
    const proven = await carry('native', true);
    await carry('paste', false);
    const named = await carry('paste', false, true);
    expect(await unproven()).toEqual([proven, named]);
  });

  check(
    'rule 51: that other words were submitted stays noted, whoever tells it again',
    async (world) => {
      const worker = await world.add('worker');
      await world.send(worker);
      const { claim } = await world.take(worker, 'paste');
      const note = async (how: { readonly isAltered?: true }) => {
        await world.ledger.write((tx) =>
          tx.claims.note(claim.token, { isSubmitted: true, ...how }),
        );
        const found = await world.ledger.read((tx) => tx.claims.find(claim.token));
        return [found?.isSubmitted, found?.isAltered];
      };
      expect(await note({})).toEqual([true, undefined]);
      expect(await note({ isAltered: true })).toEqual([true, true]);
      expect(await note({})).toEqual([true, true]);
    },
  );

  check('rule 9: a message that was seen stays so when its conversation is left', async (world) => {
    const [worker, other] = [await world.add('worker'), await world.add('other')];
    const read = async (to: typeof worker) => {
      const { id } = await world.send(to);
      const { claim } = await world.take(to, 'native');
      await inject(world, claim.token);
      const evidence = 'an answer';
      await world.ledger.write((tx) =>
        prove(tx, world.clock.now(), { mark: claim.mark, evidence }),
      );
      return id;
    };
    const [left, kept] = [await read(worker), await read(other)];
    const find = (id: string) => world.ledger.read((tx) => tx.messages.find(id));
    expect(await find(left)).toMatchObject({ state: 'seen', inContext: true });
    await world.ledger.write((tx) => tx.messages.leaveContext(worker.id));
    expect(await find(left)).toMatchObject({ state: 'seen', inContext: false });
    expect(await find(kept)).toMatchObject({ state: 'seen', inContext: true });
    await world.ledger.write((tx) => endEpoch(tx, world.clock.now(), other.id));
    expect(await find(kept)).toMatchObject({ state: 'seen', inContext: false });
  });

  check('a glance names every kind that there is, and nothing else', async (world) => {
    const worker = await world.add('worker');
    const kinds = async () => {
      const outline = await world.ledger.read((tx) =>
        tx.messages.outline(worker.id, world.clock.now()),
      );
      return Object.entries(outline).flatMap(([kind, isThere]) => (isThere ? [kind] : []));
    };
    expect(await kinds()).toEqual([]);
    await world.send(worker, { urgent: true });
    expect(await kinds()).toEqual(['queued', 'waking', 'urgent']);
    const { claim } = await world.take(worker, 'native', { provable: true });
    expect(await kinds()).toEqual(['claimed']);
    await inject(world, claim.token);
    expect(await kinds()).toEqual(['open']);
    const soon = await world.send(worker, { expiresAt: world.clock.now() + 1000 });
    expect(await kinds()).toEqual(['queued', 'waking', 'timed', 'open']);
    await world.clock.sleep(1001);
    expect(await kinds()).toEqual(['timed', 'overdue', 'open']);
    await world.ack(soon.id);
    await world.ledger.write(async (tx) => {
      const held = await tx.claims.find(claim.token);
      if (held)
        await loseSight(tx, world.clock.now(), held, {
          code: 'holder-died',
          cause: 'its holder died',
        });
    });
    expect(await kinds()).toEqual(['uncertain']);
  });

  check('rule 1, D2: a message is never in two live claims', async (world) => {
    const worker = await world.add('worker');
    await world.send(worker);
    const first = await world.take(worker, 'pull');
    expect(first.messages).toHaveLength(1);
    expect(await world.claim(worker, 'pull')).toEqual({ outcome: 'empty' });
    expect(await world.claim(worker, 'native')).toEqual({ outcome: 'empty' });
  });

  check(
    'rule 1: one live claim per recipient may put text into its conversation',
    async (world) => {
      const [worker, other] = [await world.add('worker'), await world.add('other')];
      for (const to of [worker, worker, other]) await world.send(to);
      const { claim } = await world.take(worker, 'paste', { count: 1 });
      expect(await world.claim(worker, 'native')).toEqual({ outcome: 'busy' });
      expect((await world.take(other, 'native')).messages).toHaveLength(1);
      await inject(world, claim.token);
      expect((await world.take(worker, 'native')).messages).toHaveLength(1);
    },
  );

  check(
    'rule 1: pull claims live beside an injecting one and partition what is queued',
    async (world) => {
      const worker = await world.add('worker');
      const sent = [];
      for (let i = 0; i < 6; i++) sent.push((await world.send(worker)).id);
      const parts = [
        await world.take(worker, 'native', { count: 2 }),
        await world.take(worker, 'pull', { count: 2 }),
        await world.take(worker, 'pull', { count: 9 }),
      ];
      expect(parts.flatMap(({ messages }) => messages.map(({ id }) => id))).toEqual(sent);
      expect(new Set(parts.map(({ claim }) => claim.token)).size).toBe(3);
    },
  );

  check('rule 1: a claim ends when each of its messages has left claimed', async (world) => {
    const worker = await world.add('worker');
    const [a, b] = [await world.send(worker), await world.send(worker)];
    const { claim } = await world.take(worker, 'native');
    const isLive = async () =>
      (await world.ledger.read((tx) => tx.claims.find(claim.token)))?.endedAt === undefined;
    await world.ack(a.id);
    expect(await isLive()).toBe(true);
    await world.ack(b.id);
    expect(await isLive()).toBe(false);
  });

  check('rule 2: the attempt, its holder and its unguessable mark are on record', async (world) => {
    const worker = await world.add('worker');
    const [a, b] = [await world.send(worker), await world.send(worker)];
    const first = await world.take(worker, 'native', { count: 1, epoch: 3 });
    await inject(world, first.claim.token);
    const second = await world.take(worker, 'paste');
    expect(first.claim.holder).toEqual(world.here.host.identity);
    expect(first.claim.mark).toMatch(/^mark_[0-9a-hjkmnp-tv-z]{16}$/);
    expect(first.claim.mark).not.toBe(second.claim.mark);
    expect(second.claim.token).toBeGreaterThan(first.claim.token);
    const attempts = await world.ledger.read((tx) => tx.claims.listAttempts(a.id));
    expect(attempts).toMatchObject([{ route: 'native', epoch: 3, outcome: 'injected' }]);
    expect(await world.message(b.id)).toMatchObject({ state: 'claimed', attempts: 1 });
  });

  check('rule 2: a stale token moves nothing', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const { claim } = await world.take(worker, 'pull');
    world.clock.pass(claim.leaseMs);
    await world.settle(worker);
    expect(await world.state(message.id)).toBe('uncertain');
    const next = await world.take(worker, 'pull', { as: world.process() });
    expect(await begin(world, claim.token)).toBe('stale');
    expect(await inject(world, claim.token)).toEqual([]);
    expect(await world.message(message.id)).toMatchObject({
      state: 'claimed',
      token: next.claim.token,
    });
  });

  check(
    'rule 3: an act not begun within half the lease is abandoned, and queued again',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker);
      const { claim } = await world.take(worker, 'native');
      world.clock.pass(claim.leaseMs / 2 - 1);
      expect(await begin(world, claim.token)).toBe('go');
      world.clock.pass(1);
      expect(await begin(world, claim.token)).toBe('late');
      expect(await world.path(message.id)).toEqual(['queued', 'claimed', 'queued']);
      expect(await world.message(message.id)).toMatchObject({ mayRepeat: false, notLanded: 0 });
    },
  );

  check('rule 3: an expired lease makes uncertain, never queued', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const { claim } = await world.take(worker, 'native');
    world.clock.pass(claim.leaseMs - 1);
    expect(await world.settle(worker)).toBe(0);
    world.clock.pass(1);
    expect(await world.settle(worker)).toBe(1);
    expect(await world.path(message.id)).toEqual(['queued', 'claimed', 'uncertain']);
  });

  check('rule 3: a holder that is a dead process makes uncertain at once', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const host = world.hosts.start();
    await world.take(worker, 'native', { as: world.process(host) });
    expect(await world.settle(worker)).toBe(0);
    world.hosts.kill(host.pid);
    expect(await world.settle(worker)).toBe(1);
    expect(await world.state(message.id)).toBe('uncertain');
  });

  check('rule 2: a holder in another pid namespace is judged by its lease alone', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const host = world.hosts.start({ pidSpace: 'pid:[2]' });
    const { claim } = await world.take(worker, 'native', { as: world.process(host) });
    world.hosts.kill(host.pid);
    expect(await world.settle(worker)).toBe(0);
    world.clock.pass(claim.leaseMs);
    await world.settle(worker);
    expect(await world.state(message.id)).toBe('uncertain');
  });

  check('rule 3: after a reboot every claim of the old boot is uncertain', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    await world.take(worker, 'native');
    world.hosts.reboot();
    world.clock.bootMs = 1000;
    await world.settle(worker, world.process());
    expect(await world.state(message.id)).toBe('uncertain');
  });

  check(
    'rule 5: a wall clock set back or forward touches no lease, claim or attempt',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker);
      const { claim } = await world.take(worker, 'native');
      for (const jump of [-365, 730]) {
        world.clock.setWall(world.clock.now() + jump * 86_400_000);
        expect(await world.settle(worker)).toBe(0);
        expect(await begin(world, claim.token)).toBe('go');
      }
      expect(await inject(world, claim.token)).toHaveLength(1);
      expect(await world.state(message.id)).toBe('injected');
    },
  );

  check('rule 4: after injected no lease runs', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const { claim } = await world.take(worker, 'native');
    await inject(world, claim.token);
    world.clock.pass(claim.leaseMs * 100);
    expect(await world.settle(worker)).toBe(0);
    expect(await world.state(message.id)).toBe('injected');
  });

  check('rule 15: first offers keep the order of commit', async (world) => {
    const worker = await world.add('worker');
    const ids = [];
    for (let i = 0; i < 10; i++) ids.push((await world.send(worker)).id);
    const taken: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { claim, messages } = await world.take(worker, 'native', { count: 2 });
      taken.push(...messages.map(({ id }) => id));
      await inject(world, claim.token);
    }
    expect(taken).toEqual(ids);
  });

  check('a message that was acked while claimed is not injected', async (world) => {
    const worker = await world.add('worker');
    const [a, b] = [await world.send(worker), await world.send(worker)];
    const { claim } = await world.take(worker, 'native');
    await world.ack(a.id);
    expect((await inject(world, claim.token)).map(({ id }) => id)).toEqual([b.id]);
    expect(await world.state(a.id)).toBe('acked');
  });
});
