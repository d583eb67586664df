import { expect } from 'vitest';
import { listTold, tellStory } from '../../src/cli/story-text.ts';
import { withdrawOrRelease, withdrawQueued } from '../../src/delivery/withdraw.ts';
import { viewStory } from '../../src/protocol/story.ts';
import { recordInterruption } from '../../src/requests/parts/record-interruption.ts';
import { UnwrittenFault } from '../../src/shared/unwritten.ts';
import { contract, user, type World } from './world.ts';

const tell = async (world: World, id: string) => {
  const story = await world.ledger.read(async (tx) => {
    const message = await tx.messages.find(id);
    if (!message) throw new Error('it was sent');
    return viewStory(tx, message);
  });
  return { story, text: tellStory(story, (name) => name) };
};

/** Nothing is left of an earlier daemon. */
const live = { fleet: { settleLeft: async () => undefined } };

/** A task of the lead, which its worker has, taken back by that one. */
async function cancelled(world: World, by: 'lead' | 'user') {
  const lead = await world.add('lead');
  const worker = await world.add('worker', { parent: lead });
  const task = await world.send(worker, { kind: 'task', from: lead.id });
  await world.take(worker, 'native');
  const who = await world.ledger.read((tx) => tx.agents.find(by === 'lead' ? lead.id : user.id));
  if (!who) throw new Error('there is one');
  world.clock.pass(1000);
  await world.ledger.write((tx) => withdrawOrRelease(tx, world.clock.now(), task.id, who));
  return { lead, worker, task };
}

contract('explain of what was ended', (check) => {
  check(
    'rule 30: of a task that its worker had when it was taken back, it says that nothing is owed, and names the one message to the worker',
    async (world) => {
      const { worker, task } = await cancelled(world, 'lead');
      const [told] = (await world.inbox(worker)).filter(({ kind }) => kind === 'notice');
      const { story, text } = await tell(world, task.id);
      const debt = { isOwed: false, end: 'withdrawn', told: told?.id };
      expect(story.debt).toMatchObject(debt);
      expect(story.debt?.endedBy).toBeUndefined();
      expect(text).toContain(
        `It was taken back when worker had it already, and its answer is owed no longer: ${told?.id} tells worker so.`,
      );
      expect(text).toContain('goes on until `signalbox interrupt worker` ends it.');
      // The short name of that message is asked for.
      expect(listTold(story)).toContain(told?.id);
    },
  );

  check('rule 30: taken back by the user, it names the word to its giver, too', async (world) => {
    const { lead, task } = await cancelled(world, 'user');
    const [told] = await world.inbox(lead);
    const { story, text } = await tell(world, task.id);
    expect(story.debt).toMatchObject({ end: 'withdrawn', endedBy: told?.id });
    expect(text).toContain(`tells worker so, ${told?.id} tells lead.`);
  });

  check(
    'rule 30: one that nobody had says nothing of a worker, and one that is owed says so',
    async (world) => {
      const lead = await world.add('lead');
      const worker = await world.add('worker', { parent: lead });
      const task = await world.send(worker, { kind: 'task', from: lead.id });
      expect((await tell(world, task.id)).story.debt).toEqual({ isOwed: true });
      await world.ledger.write((tx) => withdrawQueued(tx, world.clock.now(), task.id, lead));
      const { story, text } = await tell(world, task.id);
      expect(story.debt).toMatchObject({ isOwed: false, end: 'withdrawn' });
      expect(story.debt?.told).toBeUndefined();
      expect(text).not.toContain('had it already');
      expect(text).not.toContain('may have been read');
      const other = await world.send(worker);
      expect((await tell(world, other.id)).story.debt).toBeUndefined();
    },
  );

  check('rule 54: it names who ended the turn that held the message', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const { here, ledger } = world;
    const parts = { ledger, surroundings: here, live };
    const who = { by: user.id, who: 'ada at /dev/pts/3' };
    const record = recordInterruption(parts, worker, who);
    await record.begin([message.id]);
    expect((await tell(world, message.id)).text).toContain('ends its turn at this moment');
    await record.end({ outcome: 'ended', way: 'keys', presses: 1 });
    const { story, text } = await tell(world, message.id);
    expect(story.interruptions).toMatchObject([{ outcome: 'ended', who: 'ada at /dev/pts/3' }]);
    expect(text).toMatch(
      /interrupt +the user \(ada at \/dev\/pts\/3\) ended its turn, by Esc, once/,
    );
    // Another one was refused: it ended nothing.
    const refused = recordInterruption(parts, worker, who);
    await refused.begin([message.id]);
    await refused.end({ outcome: 'refused', reason: 'it is at rest', presses: 0 });
    expect((await tell(world, message.id)).story.interruptions).toHaveLength(1);
    const all = await ledger.read((tx) => tx.interruptions.list(worker.id, 10));
    expect(all).toHaveLength(2);
  });

  check('rule 54: one that never began leaves no row', async (world) => {
    const worker = await world.add('worker');
    const parts = { ledger: world.ledger, surroundings: world.here, live };
    await recordInterruption(parts, worker, { by: user.id }).end({
      outcome: 'refused',
      presses: 0,
    });
    expect(await world.ledger.read((tx) => tx.interruptions.list(worker.id, 10))).toEqual([]);
  });

  check(
    'rule 41: a ledger that takes nothing keeps nobody from stopping an agent, and the log says so',
    async (world) => {
      const worker = await world.add('worker');
      const words = { why: 'The disk is full.', unchanged: 'Nothing was changed.' };
      const full = new UnwrittenFault('ledger-unwritable', {
        ...words,
        ...{ remedy: 'Free some space', next: 'Free some space, then run the command again.' },
      });
      const warned: object[] = [];
      const log = { warn: (facts: object) => warned.push(facts) } as never;
      const write = async () => {
        throw full;
      };
      const parts = { ledger: { write } as never, surroundings: world.here, log, live };
      const record = recordInterruption(parts, worker, { by: user.id });
      await record.begin([]);
      await record.end({ outcome: 'ended', way: 'keys', presses: 1 });
      expect(warned).toEqual([{ agent: worker.id, why: 'The disk is full.' }]);
    },
  );
});
