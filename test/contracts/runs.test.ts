import { mkdirSync, readdirSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { beginRun } from '../../src/fleet/begin-run.ts';
import { endRun } from '../../src/fleet/end-run.ts';
import { remove } from '../../src/fleet/remove.ts';
import { settleRuns } from '../../src/fleet/settle-runs.ts';
import { spoolRun } from '../../src/fleet/spool-run.ts';
import { tempHome } from '../support/home.ts';
import { contract, user, type World } from './world.ts';

const begin = (world: World, title: string, parent?: string, as = world.here) =>
  beginRun(world.ledger, as, { title, session: 'default', parent, cwd: '' });

const settle = (world: World, spool = '/nonexistent') =>
  settleRuns({ ledger: world.ledger, surroundings: world.here, spool });

contract('one-shot commands', (check) => {
  check('rule 32: the start is on disk with the process that runs it', async (world) => {
    const agent = await begin(world, 'make  test');
    expect(agent).toMatchObject({ name: 'make-test', status: 'processing', detail: 'make  test' });
    const run = await world.ledger.read((tx) => tx.runs.find(agent.id));
    expect(run).toEqual({
      agent: agent.id,
      title: 'make  test',
      holder: world.here.host.identity,
      startedAt: world.clock.now(),
    });
    expect(await world.ledger.read((tx) => tx.runs.listOpen())).toEqual([run]);
  });

  check('names are made of titles, and made unique', async (world) => {
    const titles = ['./run it', './run it', 'user', '\u0007\u202e', 'é'.repeat(99), '-- agt_1'];
    const names: string[] = [];
    for (const title of titles) names.push((await begin(world, title)).name);
    expect(names).toEqual(['run-it', 'run-it-2', 'task', 'task-2', 'é'.repeat(40), 'task-3']);
  });

  check(
    'O11: its end is one completion for the parent, however often it is told',
    async (world) => {
      const parent = await world.add('parent');
      const { id } = await begin(world, 'make', parent.id);
      const end = { agent: id, outcome: 'failed', body: 'make: exit code 2' } as const;
      const first = await endRun(world.ledger, world.here, end);
      const again = await endRun(world.ledger, world.here, { ...end, outcome: 'completed' });
      expect(again.id).toBe(first.id);
      expect(await world.inbox(parent)).toMatchObject([
        { kind: 'completion', outcome: 'failed', body: end.body, child: id, state: 'queued' },
      ]);
      // Its agent is gone, and its completion is not dead for that.
      expect((await world.ledger.read((tx) => tx.agents.find(id)))?.removedAt).toBeDefined();
      expect(await world.ledger.read((tx) => tx.runs.listOpen())).toEqual([]);
      expect(await settle(world)).toEqual([]);
      const drained = await world.drain(parent);
      expect(drained.messages.map(({ id: message }) => message)).toEqual([first.id]);
      await drained.finish();
    },
  );

  check('rules 27, 29: without a parent the user is told, whose command it was', async (world) => {
    const { id } = await begin(world, 'make');
    await endRun(world.ledger, world.here, { agent: id, outcome: 'completed', body: 'done' });
    expect(await world.inbox(user)).toMatchObject([{ to: userAgentId, outcome: 'completed' }]);
  });

  check('rule 29: when its parent goes, the next one up is told; then the user', async (world) => {
    const lead = await world.add('lead');
    const parent = await world.add('parent', { parent: lead });
    const [one, two] = [await begin(world, 'one', parent.id), await begin(world, 'two', parent.id)];
    await remove(world.ledger, world.here, parent.id);
    await endRun(world.ledger, world.here, { agent: one.id, outcome: 'completed', body: '1' });
    expect(await world.inbox(lead)).toMatchObject([{ body: '1' }]);
    await remove(world.ledger, world.here, lead.id);
    await endRun(world.ledger, world.here, { agent: two.id, outcome: 'completed', body: '2' });
    expect((await world.inbox(user)).map(({ body }) => body)).toContain('2');
  });

  check('children it started are handed to its parent, its mail bounces', async (world) => {
    const parent = await world.add('parent');
    const run = await begin(world, 'make', parent.id);
    const child = await world.add('child', { parent: run });
    const sender = await world.add('sender');
    await world.send(run, { from: sender.id });
    await endRun(world.ledger, world.here, { agent: run.id, outcome: 'completed', body: '' });
    expect((await world.ledger.read((tx) => tx.agents.find(child.id)))?.parent).toBe(parent.id);
    expect(await world.inbox(sender)).toMatchObject([{ kind: 'bounce' }]);
  });

  check('one that was removed while it ran ends dead, and is not told twice', async (world) => {
    const parent = await world.add('parent');
    const { id } = await begin(world, 'make', parent.id);
    await remove(world.ledger, world.here, id);
    const end = { agent: id, outcome: 'completed', body: 'done' } as const;
    const completion = await endRun(world.ledger, world.here, end);
    expect(completion).toMatchObject({ state: 'dead', reason: 'child_removed' });
    expect(await world.inbox(parent)).toEqual([]);
    expect(await settle(world)).toEqual([]);
  });

  check('rule 32: a wrapper found dead gets `unknown`, exactly once', async (world) => {
    const parent = await world.add('parent');
    const wrapper = world.process();
    await begin(world, 'make test', parent.id, wrapper);
    expect(await settle(world)).toEqual([]);
    world.hosts.kill(wrapper.host.identity.pid);
    const told = await Promise.all([settle(world), settle(world), settle(world)]);
    expect(new Set(told.flat().map(({ id }) => id)).size).toBe(1);
    expect(await world.inbox(parent)).toMatchObject([
      { outcome: 'unknown', body: expect.stringContaining('make test: nobody knows how it ended') },
    ]);
    expect(await settle(world)).toEqual([]);
  });

  check('O11: an end that waits in a file is committed once, and the file goes', async (world) => {
    const spool = join(tempHome(), 'spool');
    const wrapper = world.process();
    const { id } = await begin(world, 'make', undefined, wrapper);
    const path = await spoolRun(spool, { agent: id, outcome: 'failed', body: 'exit code 2' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    world.hosts.kill(wrapper.host.identity.pid);
    expect(await settle(world, spool)).toMatchObject([{ outcome: 'failed', body: 'exit code 2' }]);
    expect(readdirSync(spool)).toEqual([]);
    // As if whoever committed it had died before it removed the file.
    await spoolRun(spool, { agent: id, outcome: 'failed', body: 'exit code 2' });
    expect(await settle(world, spool)).toEqual([]);
    expect(readdirSync(spool)).toEqual([]);
    expect(await world.inbox(user)).toHaveLength(1);
  });

  check('rule 41: an end that cannot be read now is told once it can be', async (world) => {
    const spool = join(tempHome(), 'spool');
    const wrapper = world.process();
    const { id } = await begin(world, 'make', undefined, wrapper);
    const path = await spoolRun(spool, { agent: id, outcome: 'failed', body: 'exit code 2' });
    renameSync(path, `${path}.kept`);
    // EISDIR stands for all errors but "does not exist".
    mkdirSync(path);
    world.hosts.kill(wrapper.host.identity.pid);
    expect(await settle(world, spool)).toEqual([]);
    rmdirSync(path);
    renameSync(`${path}.kept`, path);
    expect(await settle(world, spool)).toMatchObject([{ outcome: 'failed', body: 'exit code 2' }]);
  });

  check('a file that is no such end is put aside, and nobody knows the end', async (world) => {
    const spool = tempHome();
    const bad = ['', '{', 'null', '{"agent":"x"}', '{"outcome":"waiting"}', '\u0000'.repeat(9)];
    for (const text of bad) {
      const wrapper = world.process();
      const { id } = await begin(world, 'make', undefined, wrapper);
      mkdirSync(spool, { recursive: true });
      writeFileSync(join(spool, `${id}.json`), text);
      expect(await settle(world, spool)).toEqual([]);
      world.hosts.kill(wrapper.host.identity.pid);
      expect(await settle(world, spool)).toMatchObject([{ outcome: 'unknown' }]);
    }
    expect(readdirSync(spool).every((name) => name.endsWith('.bad'))).toBe(true);
  });

  check('retention takes a run with its completion', async (world) => {
    const { id } = await begin(world, 'make');
    await endRun(world.ledger, world.here, { agent: id, outcome: 'completed', body: 'done' });
    const person = await world.ledger.read((tx) => tx.agents.find(userAgentId));
    if (!person) throw new Error('the user is always there');
    await (await world.drain(person)).finish();
    await world.send(person);
    await world.ledger.write((tx) =>
      tx.messages.prune(world.clock.now() + 1, { count: 100, bytes: 1e6, letters: 0 }),
    );
    expect(await world.ledger.read((tx) => tx.runs.find(id))).toBeUndefined();
  });
});
