import { isUser } from '../agents/agent.ts';
import { Fault } from '../shared/fault.ts';
import type { NativeStatus } from '../terminals/backend.ts';
import type { Fleet } from './fleet.ts';
import { hashToken, launch } from './launch.ts';
import { readOutput } from './output.ts';
import type { FleetParts } from './parts.ts';
import { Reconciler } from './reconciler.ts';
import { removeRunning } from './remove-running.ts';
import { noTerminal, restart } from './restart.ts';
import { Roster } from './roster.ts';
import { stopLife } from './stop.ts';
import { watchRuns } from './watch-runs.ts';

/** The running agents of one ledger on one backend. */
export function openFleet(parts: FleetParts): Fleet & FleetSenses {
  const roster = new Roster(parts, () => reconciler.ask());
  const reconciler = new Reconciler(parts, roster);
  const over = new AbortController();
  let watching: Promise<void> | undefined;
  /** So that whoever started us to ask gets an answer; an agent that cannot be seen keeps nobody waiting. */
  const waitForLooks = async (): Promise<void> => {
    const { clock } = parts.surroundings;
    const end = clock.monotonicMs() + firstLooksMs;
    while (roster.all().some(({ hasView }) => !hasView) && clock.monotonicMs() < end) {
      await clock.sleep(20);
    }
  };
  return {
    start: async () => {
      await parts.backend.start();
      await reconciler.start();
      watching = watchRuns(parts, over.signal);
      await waitForLooks();
    },
    launch: (wanted) => launch(parts, roster, wanted),
    stop: (id) =>
      roster.hold(id, async () => {
        const found = await roster.find(id);
        if (!found.epoch) throw noTerminal(found.agent);
        return stopLife(parts, roster, found, 'stopped');
      }),
    restart: (id, wanted) => restart(parts, roster, id, wanted),
    remove: (id) => {
      if (isUser({ id }))
        throw new Fault('not-allowed', 'The user cannot be removed.', 'Name an agent.');
      return removeRunning(parts, roster, id);
    },
    live: (id) => roster.get(id)?.live,
    output: (id, mode, signal) => readOutput(parts, roster, id, mode, signal),
    follow: (id, listener) => {
      const running = roster.get(id);
      if (!running) throw notRunning();
      return parts.backend.follow(running.life.terminal, listener);
    },
    attachCommand: (id, env) => {
      const running = roster.get(id);
      const command = running && parts.backend.attachCommand(running.life.terminal, env);
      if (!command || command === 'gone') throw notRunning();
      return command;
    },
    receiveHook: async (token, event, body) => {
      if (!isObject(body)) return { outcome: 'ignored' };
      const epoch = await parts.ledger.read((tx) => tx.epochs.findByTokenHash(hashToken(token)));
      if (!epoch || epoch.endedAt !== undefined) return { outcome: 'ignored', isOver: true };
      const running = roster.get(epoch.agent);
      // Of an earlier life, or of one that is not seen (rule 38).
      if (running?.life.epoch.epoch !== epoch.epoch) return { outcome: 'ignored' };
      return { ...(await running.hook(event, body)), agent: running.id };
    },
    health: () => ({
      backend: { name: parts.backend.name, ...parts.backend.state() },
      agents: {
        running: roster.all().length,
        troubled: roster
          .all()
          .filter((running) => running.isTroubled)
          .map((running) => running.life.agent.name),
      },
    }),
    close: async () => {
      over.abort();
      await watching;
      await reconciler.close();
      await roster.close();
      await parts.backend.close();
    },
    onOutput: (agent, bytes) => roster.get(agent)?.output(bytes),
    onChanged: () => reconciler.ask(),
    onNative: (agent, native) => roster.get(agent)?.native(native),
    onConnected: () => {
      reconciler.ask();
      for (const running of roster.all()) running.lookAgain();
    },
  };
}

const firstLooksMs = 1000;

/** What the backend tells, wired up by the composition root. */
export interface FleetSenses {
  onOutput(agent: string, bytes: number): void;
  onChanged(): void;
  onNative(agent: string, native: NativeStatus | undefined): void;
  onConnected(): void;
}

function notRunning(): Fault {
  return new Fault(
    'terminal-gone',
    'That agent is not running.',
    'Start it again with `signalbox restart`.',
  );
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
