import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { tempHome } from '../../test/support/home.ts';
import { createPuller, signalbox, userAgentId } from '../agents/agent.ts';
import { Bus } from '../events/bus.ts';
import type { LiveAgent } from '../fleet/fleet.ts';
import type { Message } from '../messages/message.ts';
import { Fault } from '../shared/fault.ts';
import { createId } from '../shared/ids.ts';
import type { Ledger } from '../store/ledger.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { Book } from './book.ts';
import { AttentionWatch } from './watch.ts';

test('rule 48: a question is in the inbox of the user after 30 s, once, and settled when it is gone', async () => {
  const world = await open();
  const { pass, ask, calm, inbox } = world;
  world.start();
  ask('lead');
  await pass(29_000);
  expect(await inbox()).toEqual([]);
  await pass(2000);
  expect(await inbox()).toMatchObject([
    { kind: 'notice', from: signalbox.id, state: 'queued', isQuiet: true, body: told('lead') },
  ]);
  await pass(60_000);
  expect(await inbox()).toHaveLength(1);
  calm('lead');
  await pass(6000);
  expect((await inbox()).map(({ state }) => state)).toEqual(['superseded']);
  // It asks the same once more: that is another question.
  ask('lead');
  await pass(36_000);
  expect((await inbox()).map(({ state }) => state)).toEqual(['superseded', 'queued']);
  expect(await world.inbox('agt_lead')).toEqual([]);
});

test('rule 48: the next daemon tells nothing again, and settles what its predecessor told', async () => {
  const world = await open();
  world.start();
  world.ask('lead');
  await world.pass(31_000);
  await world.kill();
  world.start();
  await world.pass(40_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 1]);
  await world.kill();
  world.calm('lead');
  world.start();
  await world.pass(6000);
  expect((await world.inbox()).map(({ state }) => state)).toEqual(['superseded']);
});

test('rule 48: where the file of what was told is lost, the ledger still knows', async () => {
  const world = await open();
  world.start();
  world.ask('lead');
  await world.pass(31_000);
  await world.kill();
  writeFileSync(world.bookPath, '{');
  world.start();
  await world.pass(40_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 1]);
  world.calm('lead');
  await world.pass(6000);
  expect((await world.inbox()).map(({ state }) => state)).toEqual(['superseded']);
});

test('rule 41: a file of what was told that cannot be read is read again, and nothing is told twice', async () => {
  const world = await open();
  world.start();
  world.ask('lead');
  await world.pass(11_000);
  await world.kill();
  renameSync(world.bookPath, `${world.bookPath}.kept`);
  symlinkSync(world.bookPath, world.bookPath);
  world.start();
  world.ask('worker');
  await world.pass(40_000);
  expect(world.shown()).toBe(1);
  renameSync(`${world.bookPath}.kept`, world.bookPath);
  await world.pass(16_000);
  expect(world.documents().slice(1)).toMatchObject([{ items: [{ agent: { name: 'worker' } }] }]);
  expect(world.said).toEqual(['what was told cannot be found; it is tried again']);
});

test('rule 48: where that file can never be read, the user is told after a minute all the same', async () => {
  const world = await open();
  symlinkSync(world.bookPath, world.bookPath);
  onTestFinished(() => rmSync(world.bookPath, { force: true }));
  world.start();
  world.ask('lead');
  await world.pass(54_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([0, 0]);
  await world.pass(10_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 1]);
  expect(world.said).toEqual([
    'what was told cannot be found; it is tried again',
    'what was told cannot be read; it may be told again',
  ]);
});

test('rule 48: killed between the notice and its note, the next daemon keeps the notice', async () => {
  const world = await open();
  world.start();
  world.ask('lead');
  await world.pass(11_000);
  await world.kill();
  const before = readFileSync(world.bookPath, 'utf8');
  world.start();
  await world.pass(20_000);
  await world.kill();
  writeFileSync(world.bookPath, before);
  world.start();
  await world.pass(40_000);
  expect(world.shown()).toBe(1);
  expect((await world.inbox()).map(({ state }) => state)).toEqual(['queued']);
});

test('rule 27: whoever was told by a completion of the dialog gets no notice beside it', async () => {
  const world = await open();
  world.start();
  const since = world.ask('lead');
  await world.pass(29_000);
  const key = `turn:epoch-1/dialog-${since}/1:${userAgentId}`;
  await world.put({ from: 'agt_lead', kind: 'completion', outcome: 'waiting', key, body: 'Waits' });
  await world.pass(36_000);
  expect((await world.inbox()).map(({ kind }) => kind)).toEqual(['completion']);
  // Nor is the user told of the question a second time, as of a message.
  expect(world.documents()).toMatchObject([{ items: [{ kind: 'question' }] }]);
  world.calm('lead');
  await world.pass(6000);
  expect((await world.inbox()).map(({ state }) => state)).toEqual(['superseded']);
});

test('rule 48: an answer is shown once; what lay there before the first daemon is no news', async () => {
  const world = await open();
  await world.put({ from: 'agt_lead', kind: 'message', body: 'Old' });
  world.start();
  await world.pass(11_000);
  expect(world.shown()).toBe(0);
  await world.put({ from: 'agt_lead', kind: 'completion', body: 'Done.\nMore.' });
  await world.put({ from: signalbox.id, kind: 'notice', body: 'About another' });
  await world.pass(11_000);
  await world.pass(11_000);
  expect(world.documents()).toMatchObject([
    { items: [{ kind: 'unread', agent: { name: 'lead' }, text: 'Done.' }] },
  ]);
  await world.kill();
  world.start();
  await world.pass(11_000);
  expect(world.shown()).toBe(1);
});

test('rule 48: an answer is shown behind any number of notices that nobody has taken', async () => {
  const world = await open();
  world.start();
  await world.pass(1000);
  for (let n = 0; n < 120; n++) {
    await world.put({ from: signalbox.id, kind: 'notice', body: `About another, ${n}` });
  }
  await world.put({ from: 'agt_lead', kind: 'message', body: 'Done.' });
  await world.pass(11_000);
  expect(world.documents()).toMatchObject([{ items: [{ kind: 'unread', text: 'Done.' }] }]);
});

test('rule 48: on a full disk it is shown all the same, and the notice comes when there is room', async () => {
  const world = await open();
  // A folder in its place: nothing can be written there.
  mkdirSync(`${world.bookPath}.new-${process.pid}`);
  world.start();
  world.ask('lead');
  world.fail(new Fault('ledger-unwritable', 'The disk is full.', 'Free some space.'));
  await world.pass(40_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 0]);
  world.fail(undefined);
  await world.pass(6000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 1]);
  // Each trouble is told once, however long it lasts.
  expect(world.said).toEqual([
    'what was told cannot be noted; a next daemon may tell it again',
    'what needs a person could not be told; it is tried again',
  ]);
});

test('rule 48: settings that cannot be read leave those from before', async () => {
  const world = await open();
  world.start();
  world.ask('lead');
  await world.pass(6000);
  world.breakSettings();
  world.ask('worker');
  await world.pass(6000);
  expect(world.shown()).toBe(2);
});

function told(name: string): string {
  return `${name} waits for you: Proceed? → signalbox attach ${name}`;
}

/** A ledger with two agents in terminals, and a daemon's watch that can be killed. */
async function open() {
  const folder = tempHome();
  const [bookPath, out] = [join(folder, 'attention.json'), join(folder, 'told')];
  const clock = new ManualClock();
  const memory = new MemoryLedger();
  const live = new Map<string, LiveAgent>();
  const said: string[] = [];
  let failure: Fault | undefined;
  let isBroken = false;
  const ledger: Ledger = Object.assign(Object.create(memory) as Ledger, {
    read: memory.read.bind(memory),
    write: async (work: never) => {
      if (failure) throw failure;
      return memory.write(work);
    },
  });
  for (const name of ['lead', 'worker']) {
    const row = { ...createPuller(`agt_${name}`, clock.now()), name, session: 's', notify: true };
    const added = { ...row, backend: 'tmux', provider: 'scripted', epoch: 1, cwd: '/' };
    await memory.write((tx) => tx.agents.insert({ ...added, status: 'idle' }));
  }
  const log = (_: object, text: string): void => void said.push(text);
  const parts = () => ({
    ...{ ledger, clock, env: {}, log: { debug: log, info: log, warn: log, error: log } },
    fleet: { live: (id: string) => live.get(id) },
    bus: new Bus({ clock, boot: 'b', onError: () => undefined }),
    book: new Book(bookPath),
    markName: 'SIGNALBOX_TEST_WATCH',
    settings: async () => {
      if (isBroken) throw new Fault('config-invalid', 'Half a file.', 'Mend it.');
      return { desktop: 'off', command: `cat >> '${out}'` };
    },
  });
  const show = (name: string, status: LiveAgent['status']): number => {
    const since = clock.now();
    const question = status === 'waiting' ? { question: 'Proceed?' } : {};
    const base = { source: 'screen', composer: 'unknown', notes: [] } as const;
    live.set(`agt_${name}`, { ...base, status, since, ...question });
    return since;
  };
  for (const name of ['lead', 'worker']) show(name, 'idle');
  let watch: AttentionWatch | undefined;
  const kill = async (): Promise<void> => {
    // Its end writes nothing; test/integration/attention.test.ts kills a real one.
    await watch?.close();
    watch = undefined;
  };
  onTestFinished(() => watch?.close());
  const documents = (): readonly unknown[] =>
    existsSync(out)
      ? readFileSync(out, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return {
    ...{ bookPath, said, kill, documents },
    start: () => {
      watch = new AttentionWatch(parts());
      watch.start();
    },
    ask: (name: string) => show(name, 'waiting'),
    calm: (name: string) => show(name, 'idle'),
    fail: (fault: Fault | undefined) => {
      failure = fault;
    },
    breakSettings: () => {
      isBroken = true;
    },
    /** How often the command was run. */
    shown: () => documents().length,
    inbox: (to = userAgentId): Promise<readonly Message[]> =>
      memory.read((tx) =>
        tx.messages.list({ to, states: ['queued', 'superseded', 'acked'], limit: 100 }),
      ),
    put: (draft: {
      readonly from: string;
      readonly kind: 'message' | 'completion' | 'notice';
      readonly body: string;
      readonly key?: string;
      readonly outcome?: 'waiting';
    }) =>
      memory.write((tx) =>
        tx.messages.insert([
          {
            id: createId('msg', clock.now()),
            to: userAgentId,
            state: 'queued',
            createdAt: clock.now(),
            cause: 'accepted',
            ...draft,
          },
        ]),
      ),
    /** In steps: each look has its turn, and what it started ends within no time. */
    pass: async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 500) {
        await clock.pass(500);
        for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
        await watch?.shown();
      }
    },
  };
}
