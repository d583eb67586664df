import { expect } from 'vitest';
import { createPuller } from '../../src/agents/agent.ts';
import { add } from '../../src/fleet/add.ts';
import { beginRun } from '../../src/fleet/begin-run.ts';
import { resolveAgent } from '../../src/fleet/resolve-agent.ts';
import { createId } from '../../src/shared/ids.ts';
import { contract, type World } from './world.ts';

/** With a Cyrillic е. */
const like = 'lеad';

/** As a signalbox that did not look at letters has left it. */
function insertAsBefore(world: World, name: string) {
  const now = world.clock.now();
  const agent = { ...createPuller(createId('agt', now), now), name, session: 'default' };
  return world.ledger.write((tx) => tx.agents.insert({ ...agent, notify: true, cwd: '' }));
}

contract('names that look alike', (check) => {
  check(
    'a new agent whose name only looks like that of another is refused, and told which',
    async (world) => {
      const lead = await world.add('lead');
      await expect(world.add(like)).rejects.toMatchObject({
        code: 'name-taken',
        message:
          'The name "lеad" looks like that of the agent "lead" and is not the same: "е" is U+0435.',
      });
      await expect(world.add('ｌｅａｄ')).rejects.toMatchObject({ code: 'name-taken' });
      // The other way round as well; and once it is gone, its looks are free.
      await world.ledger.write((tx) => tx.agents.markRemoved(lead.id, 1, true));
      await world.add(like);
      await expect(world.add('lead')).rejects.toMatchObject({
        code: 'name-taken',
        message: expect.stringContaining('"е" there is U+0435'),
      });
    },
  );

  check('names of ASCII are what a person makes of them', async (world) => {
    for (const name of ['w1', 'wl', 'wI', 'Lead', 'lead', 'a10', 'alo', 'corner', 'comer']) {
      expect((await world.add(name)).name).toBe(name);
    }
  });

  check('so is a session that looks like one in use; an agent may join that one', async (world) => {
    const wanted = (name: string, session: string) => ({ name, session, notify: true, cwd: '' });
    await add(world.ledger, world.clock, wanted('one', 'shop'));
    await expect(add(world.ledger, world.clock, wanted('two', 'shоp'))).rejects.toMatchObject({
      code: 'name-taken',
      message: expect.stringContaining('the session "shop"'),
    });
    await add(world.ledger, world.clock, wanted('two', 'shop'));
  });

  check('names of our own making go on to the next number', async (world) => {
    await world.add('make-tеst');
    const run = { title: 'make test', session: 'default', parent: undefined, cwd: '' };
    expect((await beginRun(world.ledger, world.here, run)).name).toBe('make-test-2');
  });

  check(
    'agents of an older ledger that look alike go on, each by its exact name, and no other is found by it',
    async (world) => {
      const [lead, other] = [await world.add('lead'), await insertAsBefore(world, like)];
      const user = await insertAsBefore(world, 'usеr');
      const find = (name: string) => world.ledger.read((tx) => resolveAgent(tx, name));
      expect(
        [await find('lead'), await find(like), await find('usеr')].map(({ id }) => id),
      ).toEqual([lead.id, other?.id, user?.id]);
      expect((await find('user')).id).toBe('agt_user');
      // What is taken is taken, not a look-alike of the other.
      await expect(world.add('lead')).rejects.toMatchObject({
        message: 'There is already an agent named "lead" in the session "default".',
      });
      // Beside two that look alike, a third joins neither.
      await expect(world.add('lеаd')).rejects.toMatchObject({ code: 'name-taken' });
    },
  );

  check('an unknown name that looks like a known one is not found, and says so', async (world) => {
    await world.add('lead');
    const find = (name: string) => world.ledger.read((tx) => resolveAgent(tx, name));
    await expect(find(like)).rejects.toMatchObject({
      code: 'agent-not-found',
      message: 'No agent named "lеad": it only looks like "lead", since "е" is U+0435.',
      next: 'Write "lead" if that is the one you mean.',
    });
    await expect(find('usеr')).rejects.toMatchObject({
      message: expect.stringContaining('"user"'),
    });
    await expect(find('ѕelf')).rejects.toMatchObject({
      message: expect.stringContaining('"self"'),
    });
    await expect(find('laed')).rejects.toMatchObject({ next: 'Did you mean "lead"?' });
  });
});
