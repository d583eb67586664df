import { findFolders } from '../config/folders.ts';
import { requirePerson } from '../fleet/permissions.ts';
import { Fault } from '../shared/fault.ts';
import type { Client } from './client.ts';
import type { DirectContext } from './direct/context.ts';
import { createDirectClient } from './direct/create.ts';
import { isCarried, openContext } from './direct/open.ts';
import { chooseLaunchFolder, withNotes } from './launch-folder.ts';
import { mayLook, requireLook, reviveDead, untilUp } from './look-first.ts';
import type { DaemonLink } from './socket/daemon-link.ts';

/**
 * The client that everybody uses: the ledger itself for what the ledger knows, and the daemon,
 * found or started on first use, for what has a terminal. Code for the daemon is loaded only then:
 * most messages go to the ledger and nowhere else. `tell` gets what a person should know although
 * the request succeeded.
 */
export async function openClient(
  env: NodeJS.ProcessEnv,
  tell: (sentence: string) => void,
): Promise<Client> {
  const context = await openContext(env, tell);
  const direct = createDirectClient(context);
  let link: Promise<DaemonLink> | undefined;
  const openLink = (): Promise<DaemonLink> => {
    link ??= createLink(context, env, tell);
    return link;
  };
  const load = () => import('./terminals.ts');
  const sockets = () => import('./socket/agents.ts');
  const events = () => import('./socket/events.ts');
  const stories = () => import('./socket/messages.ts');
  const tasks = () => import('./socket/tasks.ts');
  const questions = () => import('./socket/questions.ts');
  /** Rule 52: a person whose words are not taken for the user's is told before they go. */
  const tellJudged = async (): Promise<void> => {
    const { judged } = context;
    if (judged.why === undefined) return;
    const { describeJudged, isPersonReading } = await import('./direct/describe-judged.ts');
    const said = describeJudged(judged, isPersonReading(judged, env));
    if (said !== undefined) tell(said);
  };
  const mustLook = async (other?: string): Promise<void> => {
    const known = await direct.listAgents();
    await requireLook(context.folders, await openLink(), known, other);
  };
  const tellDaemon = async (): Promise<void> => {
    if (context.looks.size > 0) await wakeDaemon(await openLink(), context.looks, tell);
    context.clearLooks();
  };
  return {
    ...direct,
    listAgents: async (session, { startsNothing = false } = {}) => {
      const known = await direct.listAgents(session);
      if (!known.some(isCarried)) return known;
      if (startsNothing && !(await (await openLink()).isRunning())) return known;
      if (!(await mayLook(context.folders, await openLink(), known, tell))) return known;
      return withFallback(tell, known, async () =>
        (await sockets()).listLiveAgents(await openLink(), session),
      );
    },
    showAgent: async (reference) => {
      const known = await direct.showAgent(reference);
      if (!isCarried(known)) return known;
      if (!(await mayLook(context.folders, await openLink(), [known], tell))) return known;
      return withFallback(tell, known, async () =>
        (await sockets()).showLiveAgent(await openLink(), known.id),
      );
    },
    removeAgents: async (which) => (await load()).removeAgents(context, openLink, which),
    send: async (outgoing) => {
      await tellJudged();
      return direct.send(outgoing);
    },
    launch: async (wanted) => {
      if (wanted.message !== undefined) await tellJudged();
      return (await load()).launchAgent(context, openLink, wanted, env);
    },
    awaitLaunch: async (agent, timeoutMs) =>
      (await sockets()).awaitLaunch(await openLink(), agent, timeoutMs),
    assign: async (task) => {
      await tellJudged();
      const { cwd, notes } = chooseLaunchFolder(context.caller.agent, task.cwd);
      const given = await (await tasks()).giveTask(await openLink(), {
        ...{ ...task, cwd },
        ...(await load()).describeCaller(env),
      });
      return given.launched ? withNotes(given, notes) : given;
    },
    awaitAnswer: async (task, timeoutMs) =>
      (await tasks()).awaitAnswer(await openLink(), task, timeoutMs),
    confirmHandOver: async (id) => (await tasks()).confirmHandOver(await openLink(), id),
    stopAgents: async (which) => (await load()).stopAgents(context, openLink, which),
    interrupt: async (agent, timeoutMs) => {
      await tellJudged();
      return (await load()).interrupt(context, openLink, agent, timeoutMs);
    },
    restartAgents: async (which, how) =>
      (await load()).restartAgents(context, openLink, which, { ...how, env }),
    output: async (agent, mode) => {
      const { findTerminal, readOutput } = await load();
      const { id, name } = await findTerminal(context, agent);
      await mustLook(`; \`signalbox logs ${name}\` needs none`);
      return readOutput(openLink, id, mode);
    },
    followOutput: (agent) =>
      iterate(async () => {
        const { findTerminal, follow } = await load();
        const { id } = await findTerminal(context, agent);
        await mustLook();
        return follow(openLink, id);
      }),
    questions: async (agent) => {
      const { id } = await (await load()).findTerminal(context, agent);
      return (await questions()).readQuestions(await openLink(), id);
    },
    answer: async (agent, question, decision) => {
      const { id } = await (await load()).findTerminal(context, agent);
      return (await questions()).decideQuestion(await openLink(), id, question, decision);
    },
    attachCommand: async (agent) => (await load()).attach(context, openLink, agent, env),
    openDashboard: async (readOnly) => {
      requirePerson(context.caller, 'open the dashboard');
      const { describeCaller } = await load();
      const path = '/dashboard';
      const body = { readOnly, ...describeCaller(env) };
      return (await openLink()).ask({ method: 'POST', path, body });
    },
    watchEvents: (patterns, over) =>
      iterate(async () => {
        // A live view goes on with what is known; whoever wants the events alone is told.
        if (over) await untilUp(context.folders, await openLink(), over);
        else await mustLook();
        return (await events()).watchEvents(await openLink(), patterns, over);
      }),
    recentEvents: async (patterns) => {
      await mustLook();
      return (await events()).recentEvents(await openLink(), patterns);
    },
    listInbox: async (agent, query) => {
      const list = await direct.listInbox(agent, query);
      await reviveDead(context.folders, openLink, tell);
      return list;
    },
    explain: async (id) => {
      const known = await direct.explain(id);
      // Only of what is open does a daemon know more than the ledger.
      const isOnItsWay = ['injected', 'uncertain'].includes(known.message.state);
      if (known.waitsFor === undefined && !isOnItsWay) return known;
      await reviveDead(context.folders, openLink, tell);
      return withFallback(tell, known, async () =>
        (await stories()).explain(await openLink(), known),
      );
    },
    cancel: async (id) => {
      // What a CLI holds in a queue of its own only a daemon can ask back.
      const { message } = await direct.explain(id);
      if (!['injected', 'uncertain'].includes(message.state)) return direct.cancel(id);
      return (await stories()).cancel(await openLink(), message.id);
    },
    waitFor: async (id, state, timeoutMs) => {
      if (context.looks.size === 0) return direct.waitFor(id, state, timeoutMs);
      await tellDaemon();
      const wait = { id, state, timeoutMs };
      return (await stories()).waitFor(await openLink(), wait, (leftMs) =>
        direct.waitFor(id, state, leftMs),
      );
    },
    close: async () => {
      try {
        await tellDaemon();
      } finally {
        await direct.close();
      }
    },
  };
}

async function createLink(
  { caller }: DirectContext,
  env: NodeJS.ProcessEnv,
  tell: (sentence: string) => void,
): Promise<DaemonLink> {
  const { DaemonLink } = await import('./socket/daemon-link.ts');
  const { kind, agent } = caller;
  const id = kind === 'agent' ? agent.id : undefined;
  return new DaemonLink(findFolders(env), env, { agent: id, isUser: kind === 'user', tell });
}

/** What was last known is better than nothing, when it is said that it is that. */
async function withFallback<T>(
  tell: (sentence: string) => void,
  known: T,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Fault) || !noDaemon.has(error.code)) throw error;
    tell(`${error.message} ${error.next} Shown is what was last known.`);
    return known;
  }
}

const noDaemon: ReadonlySet<string> = new Set([
  'daemon-unavailable',
  'timed-out',
  'protocol-mismatch',
]);

/** The message is on disk whatever becomes of this; it is carried as soon as a daemon runs. */
async function wakeDaemon(
  link: DaemonLink,
  agents: ReadonlySet<string>,
  tell: (sentence: string) => void,
): Promise<void> {
  try {
    const { look } = await import('./socket/messages.ts');
    for (const agent of agents) {
      const broken = await look(link, agent);
      if (broken !== undefined) tell(`The message is in the ledger. ${broken}.`);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    tell(`The message waits in the ledger. ${error.message} ${error.next}`);
  }
}

async function* iterate<T>(open: () => Promise<AsyncIterable<T>>): AsyncGenerator<T, void> {
  yield* await open();
}
