import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createPuller, userAgentId } from '../../src/agents/agent.ts';
import { Book } from '../../src/attention/book.ts';
import { AttentionWatch } from '../../src/attention/watch.ts';
import { Bus } from '../../src/events/bus.ts';
import type { LiveAgent } from '../../src/fleet/fleet.ts';
import type { Message } from '../../src/messages/message.ts';
import { Fault } from '../../src/shared/fault.ts';
import { createId } from '../../src/shared/ids.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { ManualClock } from '../fakes/manual-clock.ts';
import { tempHome } from './home.ts';

/** A ledger with two agents in terminals, and a daemon's watch that can be killed. */
export async function openAttentionWorld() {
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
  let bus: Bus | undefined;
  const parts = (running: Bus) => ({
    ...{ ledger, clock, env: {}, log: { debug: log, info: log, warn: log, error: log } },
    fleet: { live: (id: string) => live.get(id) },
    bus: running,
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
      bus = new Bus({ clock, boot: 'b', onError: () => undefined });
      watch = new AttentionWatch(parts(bus));
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
    /** As the observer of the ledger does, and `MailNews` for another process. */
    hear: (message: string): void => {
      const data = { state: 'queued', from: 'agt_lead', to: userAgentId } as const;
      bus?.publish({ kind: 'message', message, data });
    },
    /** Nobody is told of it. */
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
