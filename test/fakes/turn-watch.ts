import type { AgentStatus } from '../../src/agents/agent.ts';
import type { StatusSource } from '../../src/agents/status.ts';
import { add } from '../../src/fleet/add.ts';
import type { Life } from '../../src/fleet/life.ts';
import type { FleetParts } from '../../src/fleet/parts.ts';
import { TurnWatch } from '../../src/fleet/watch-turns.ts';
import type { Provider } from '../../src/providers/provider.ts';
import type { TurnNews } from '../../src/providers/way-in.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { FakeHosts } from './host.ts';
import { idleDelivery } from './idle-delivery.ts';
import { ManualClock } from './manual-clock.ts';

/** A child with a parent, and a clock that moves only when it is told to. */
export async function openTurnWatch(turnEnds: Provider['capabilities']['turnEnds'] = 'hook') {
  const outcomes: string[] = [];
  const onRecord = { in: new Set<number>(), out: new Set<number>() };
  const acts: Promise<unknown>[] = [];
  const reads = { onRecord: 0 };
  const ledger = new MemoryLedger();
  const clock = new ManualClock();
  const wanted = { session: 'default', notify: true, cwd: '/srv/app' };
  const parent = await add(ledger, clock, { ...wanted, name: 'lead' });
  const child = await add(ledger, clock, { ...wanted, name: 'worker', parent: parent.id });
  const parts = {
    ledger,
    surroundings: { clock, host: new FakeHosts().start() },
    delivery: {
      ...idleDelivery,
      whenCarried: async () => void (await Promise.all(acts)),
      readOnRecord: async () => {
        reads.onRecord++;
        return onRecord;
      },
      turnEnded: async (_: string, outcome: string) => void outcomes.push(outcome),
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  } as unknown as FleetParts;
  const life = {
    agent: child,
    epoch: { agent: child.id, epoch: 1 },
    provider: { capabilities: { turnEnds } },
  } as unknown as Life;
  const records = {
    last: undefined as string | undefined,
    lastWords: async () => 'last words',
    behind: false,
    isBehind: () => records.behind,
    lastTurn: async () =>
      records.last === undefined ? undefined : { session: 's', id: records.last },
  };
  const watchAgain = () => new TurnWatch(parts, life, records);
  let watch = watchAgain();
  const show = (
    status: AgentStatus,
    since = clock.now(),
    detail?: string,
    source: StatusSource = 'screen',
  ) =>
    watch.status({
      ...{ status, since, source, composer: 'unknown' },
      ...(detail === undefined ? {} : { detail }),
    });
  const task = { task: 'msg_task', debtor: child.id, creditor: parent.id, givenAt: 1 };
  return {
    ...{ clock, ledger, child, parent },
    /** How often the records were asked about what it owes. */
    reads,
    /** What delivery was told. */
    outcomes,
    /** The records say that this message is in the conversation, or that it is in none. */
    record: async (message: string, place: 'in' | 'out') => {
      const { token } = (await ledger.read((tx) => tx.messages.find(message))) ?? {};
      if (token !== undefined) onRecord[place].add(token);
    },
    /** A text of ours is just going in; what this returns says that its act is written down. */
    carry: () => {
      let settle = (): void => undefined;
      acts.push(new Promise<void>((resolve) => (settle = resolve)));
      return settle;
    },
    raw: (news: TurnNews) => watch.news(news),
    /** By a hook, or by the CLI's own state, that tells the beginning of a turn. */
    begin: (source: StatusSource = 'hook') => {
      if (source === 'hook') watch.began();
      show('processing', clock.now(), undefined, source);
    },
    /** A message of ours went in. */
    enter: () => watch.began(),
    owe: () => ledger.write((tx) => tx.debts.insert(task)),
    show,
    /** A paste of ours that began so long ago was verified; the status shows this. */
    prompted: (status: AgentStatus, agoMs = 0) =>
      watch.prompted(
        () => ({ ...{ status, since: clock.now(), source: 'screen', composer: 'unknown' } }),
        clock.monotonicMs() - agoMs,
      ),
    news: (id: string, text?: string) =>
      watch.news({ session: 's', id, outcome: 'completed', ...(text ? { text } : {}) }),
    records,
    /**
     * Of a daemon that comes after this one; what the ledger says of the agent's status may be old.
     */
    restart: async (status = child.status, since = child.since) => {
      await watch.close();
      Object.assign(life, { agent: { ...child, status, since } });
      watch = watchAgain();
    },
    /** Every completion so far, superseded or not. */
    told: async () => {
      await watch.close();
      const states = ['queued', 'superseded'] as const;
      const listed = await ledger.read((tx) =>
        tx.messages.list({ to: parent.id, states, limit: 100 }),
      );
      return listed
        .toSorted((a, b) => a.seq - b.seq)
        .map(({ outcome, turn, body }) => ({ outcome, turn, body }));
    },
  };
}
