import { type Agent, isUser } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { hashToken } from '../agents/token.ts';
import { Fault } from '../shared/fault.ts';
import { joinSignals } from '../shared/join-signals.ts';
import { isPlainObject } from '../shared/json.ts';
import { KeepTrying } from '../shared/keep-trying.ts';
import type { Backend, NativeStatus } from '../terminals/backend.ts';
import { awaitLaunch } from './await-launch.ts';
import type { Fleet } from './fleet.ts';
import { interrupt } from './interrupt/interrupt.ts';
import { launch } from './launch.ts';
import type { Life } from './life.ts';
import { noteSubmitted } from './note-submitted.ts';
import { readOutput } from './output.ts';
import type { FleetParts } from './parts.ts';
import { findHolder } from './permission-holder.ts';
import { holdQuestion } from './questions/hold.ts';
import { nothingAsked } from './questions/questions.ts';
import { removeRunning } from './remove-running.ts';
import { noTerminal, restart } from './restart.ts';
import { Roster } from './roster.ts';
import type { RunningAgent } from './running-agent.ts';
import { settleLeft } from './settle-left.ts';
import { stopLife } from './stop.ts';
import { askRecords } from './turn-records.ts';
import { explainUnseen } from './unreachable.ts';
import { BackendWatch } from './watch-backends.ts';
import { watchRuns } from './watch-runs.ts';
import { bringBack, type Coming, type Held } from './workers/bring-back.ts';
import { endWorker } from './workers/end-worker.ts';
import { findEnding } from './workers/find-ending.ts';

/** The running agents of one ledger, each in its backend. */
export function openFleet(parts: FleetParts): Fleet & FleetSenses {
  const roster: Roster = new Roster(parts, (backend) => watch.ask(backend));
  const watch = new BackendWatch(parts, roster);
  const over = new AbortController();
  const coming: Coming = new Map();
  const held: Held = new Map();
  const { clock } = parts.surroundings;
  const what = 'settling what an earlier daemon was carrying';
  const left = new KeepTrying({ clock, log: parts.log, what, work: () => settleLeft(parts) });
  let watching: Promise<void> | undefined;
  /**
   * So that whoever started us to ask gets an answer; an agent that cannot be seen keeps nobody
   * waiting.
   */
  const waitForLooks = async (): Promise<void> => {
    const end = clock.monotonicMs() + firstLooksMs;
    while (roster.all().some(({ hasView }) => !hasView) && clock.monotonicMs() < end) {
      await clock.sleep(20);
    }
  };
  const findSeen = async (id: string): Promise<Life> => {
    const running = roster.get(id);
    if (running) return running.life;
    const { agent, epoch } = await roster.find(id);
    throw epoch ? explainUnseen(parts, agent, epoch) : noTerminal(agent);
  };
  const getIn = (backend: string, agent: string): RunningAgent | undefined => {
    const running = roster.get(agent);
    return running?.life.backend.name === backend ? running : undefined;
  };
  return {
    start: async () => {
      await left.start();
      await watch.start();
      watching = watchRuns(parts, over.signal);
      await waitForLooks();
    },
    launch: (wanted) => launch(parts, { roster, watch }, wanted),
    awaitLaunch: (id, { limitMs, signal: gone }) => {
      const { signal, leave } = joinSignals([gone, over.signal]);
      return awaitLaunch(parts, roster, id, { limitMs, signal }).finally(leave);
    },
    stop: (id, by) =>
      roster.hold(id, async () => {
        const found = await roster.find(id);
        if (!found.epoch) throw noTerminal(found.agent);
        return stopLife(parts, roster, found, 'stopped', by);
      }),
    interrupt: async (id, { limitMs, signal: gone, begin }) => {
      const running = roster.get(id);
      if (!running) {
        const { agent, epoch } = await roster.find(id);
        throw epoch ? explainUnseen(parts, agent, epoch) : noTerminal(agent);
      }
      const { signal, leave } = joinSignals([gone, over.signal]);
      const wish = { limitMs, signal, begin };
      return interrupt(running.working, parts.surroundings.clock, wish).finally(leave);
    },
    restart: (id, wanted) => restart(parts, { roster, watch, signal: over.signal }, id, wanted),
    endWorker: (id) => endWorker(parts, roster, id),
    bringBack: (id) => bringBack(parts, { roster, watch, signal: over.signal, coming, held }, id),
    endingOf: (tx, agent) => findEnding(parts, tx, agent, { roster, coming, held }),
    remove: (id, { isByUser }) => {
      if (isUser({ id }))
        throw new Fault('not-allowed', 'The user cannot be removed.', 'Name an agent.');
      return removeRunning(parts, roster, id, isByUser).finally(() => held.delete(id));
    },
    live: (id) => roster.get(id)?.live,
    findInResults: async (id, ends) => {
      const running = roster.get(id);
      const { findInResults } = running?.life.provider ?? {};
      if (!running || !findInResults) return [];
      const ask = (signal: AbortSignal) => findInResults(running.context, ends, signal);
      return (await askRecords(parts.surroundings.clock, resultsMs, ask)) ?? [];
    },
    output: (id, mode, signal) => readOutput(parts, roster, id, mode, signal),
    follow: async (id) => {
      const { agent, backend, terminal } = await findSeen(id);
      if (!backend.capabilities.rawOutput) throw noRawOutput(agent, backend);
      return (listener) => backend.follow(terminal, listener);
    },
    attachCommand: async (id, env) => {
      const { agent, epoch, backend, terminal } = await findSeen(id);
      const command = backend.attachCommand(terminal, env);
      if (command === 'gone') throw explainUnseen(parts, agent, epoch);
      return command;
    },
    questions: (id) => roster.get(id)?.questions.now ?? nothingAsked,
    permissionOf: async (id) => (await findHolder(parts, id))?.permission,
    settleLeft: () => left.done(),
    decide: async (id, question, decision, signal) =>
      (await roster.get(id)?.questions.decide(question, decision, signal)) ?? { outcome: 'gone' },
    holdQuestion: (token, poll, signal) => holdQuestion(parts, roster, token, poll, signal),
    confirmDecision: (id) => roster.all().some(({ questions }) => questions.confirm(id)),
    receiveHook: async (token, event, body, report) => {
      if (!isPlainObject(body)) return { outcome: 'ignored' };
      const epoch = await parts.ledger.read((tx) => tx.epochs.findByTokenHash(hashToken(token)));
      if (!epoch || epoch.endedAt !== undefined) return { outcome: 'ignored', isOver: true };
      const running = roster.get(epoch.agent);
      // Of an earlier life, or of one that is not seen (rule 38).
      if (running?.life.epoch.epoch !== epoch.epoch) {
        // Without a terminal it may live, and begin with what it was given: not to know that would
        // be taken for a proof (rule 10).
        await noteSubmitted(parts, epoch.agent, body);
        return { outcome: 'ignored' };
      }
      return {
        ...(await running.hook({ event, body, ...(report === undefined ? {} : { report }) })),
        agent: running.id,
      };
    },
    health: () => ({
      backend: { name: parts.backends.default.name, ...parts.backends.default.state() },
      backends: watch.states(),
      agents: {
        running: roster.all().length,
        troubled: roster
          .all()
          .filter((running) => running.isTroubled)
          .map((running) => callName(running.life.agent)),
      },
    }),
    close: async () => {
      over.abort();
      await left.close();
      await watching;
      await watch.close();
      await roster.close();
    },
    onOutput: (backend, agent, bytes) => getIn(backend, agent)?.output(bytes),
    onChanged: (backend) => watch.ask(backend),
    onNative: (backend, agent, native) => getIn(backend, agent)?.native(native),
    onConnected: (backend) => {
      watch.ask(backend);
      for (const running of roster.all()) {
        if (running.life.backend.name === backend) running.lookAgain();
      }
    },
  };
}

const firstLooksMs = 1000;
/** A further call of the agent waits for it. */
const resultsMs = 1500;

/** What the backends tell, each under its name, wired up by the composition root. */
export interface FleetSenses {
  onOutput(backend: string, agent: string, bytes: number): void;
  onChanged(backend: string): void;
  onNative(backend: string, agent: string, native: NativeStatus | undefined): void;
  onConnected(backend: string): void;
}

function noRawOutput(agent: Agent, backend: Backend): Fault {
  const name = callName(agent);
  return new Fault(
    'wrong-state',
    `"${name}" lives in ${backend.name}, which tells no raw output in this version.`,
    `See its screen with \`signalbox output ${name}\`.`,
  );
}
