import { isUser } from '../agents/agent.ts';
import { type Folders, findFolders, ledgerPath, spoolFolder } from '../config/folders.ts';
import { loadSettings } from '../config/settings.ts';
import { describeRun, type RunFacts } from '../fleet/describe-run.ts';
import { endRun, type RunEnd } from '../fleet/end-run.ts';
import { spoolRun } from '../fleet/spool-run.ts';
import type { Message } from '../messages/message.ts';
import type { AgentName } from '../protocol/agents.ts';
import type { RunDocument } from '../protocol/printed.ts';
import { nameView } from '../protocol/views.ts';
import { beginRun, type RunBegun, type RunWish } from '../requests/begin-run.ts';
import { systemClock } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { systemHost } from '../shared/processes.ts';
import { reportBug } from '../shared/report-bug.ts';
import { openSqliteLedger } from '../store/sqlite/open.ts';
import { createDirectClient } from './direct/create.ts';
import { isCarried, openContext } from './direct/open.ts';

/** Resolves when the start is on disk: the command may run then, and not before (rule 32). */
export async function beginTask(env: NodeJS.ProcessEnv, wanted: RunWish): Promise<RunBegun> {
  const context = await openContext(env);
  try {
    return await beginRun(context, context.caller, wanted);
  } finally {
    await createDirectClient(context).close();
  }
}

/** What the command itself sees: it acts as its own agent, not as the one that started it. */
export function taskEnvironment(env: NodeJS.ProcessEnv, { id }: AgentName): NodeJS.ProcessEnv {
  // A token is of another agent's life; hooks of a CLI under us would speak in its name.
  const { SIGNALBOX_TOKEN: _, SIGNALBOX_EPOCH: __, ...rest } = env;
  return { ...rest, SIGNALBOX_AGENT: id };
}

export interface TaskEnd extends RunFacts {
  readonly agent: AgentName;
}

type TaskCompletion = NonNullable<RunDocument['completion']>;

/** `lost` is told as `unknown` by whoever looks next: its wrapper is dead by then. */
export type Told =
  | { readonly outcome: 'committed'; readonly completion: TaskCompletion }
  | { readonly outcome: 'spooled'; readonly path: string; readonly why: string }
  | { readonly outcome: 'lost'; readonly why: string };

/** The ledger is tried this long before the end is put into a file. */
const patienceMs = 10_000;

/**
 * Commits how a task ended. The ledger is opened anew, for the end alone: a task may take hours,
 * and its end is no call of the agent that started it (rule 17). What cannot be committed is left
 * in a file for whoever comes next (O11).
 */
export async function endTask(
  env: NodeJS.ProcessEnv,
  facts: TaskEnd,
  tell: (sentence: string) => void,
): Promise<Told> {
  const folders = findFolders(env);
  const outcome = facts.exitCode === 0 ? 'completed' : 'failed';
  const end: RunEnd = { agent: facts.agent.id, outcome, body: describeRun(facts) };
  const endsAtMs = systemClock.monotonicMs() + patienceMs;
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1000)) {
    try {
      return { outcome: 'committed', completion: await commit(folders, env, end, tell) };
    } catch (error) {
      reportBug('committing the end of a one-shot command', error);
      const why = error instanceof Error ? error.message : String(error);
      if (systemClock.monotonicMs() + waitMs > endsAtMs) return spool(folders, end, why);
      await systemClock.sleep(waitMs);
    }
  }
}

async function commit(
  folders: Folders,
  env: NodeJS.ProcessEnv,
  end: RunEnd,
  tell: (sentence: string) => void,
): Promise<TaskCompletion> {
  const settings = await loadSettings(folders, env);
  const lockWaitMs = Math.min(settings['lock-wait'].value, patienceMs);
  const options = { clock: systemClock, lockWaitMs };
  const ledger = await openSqliteLedger(ledgerPath(folders), options);
  const looks = new Set<string>();
  try {
    const surroundings = { clock: systemClock, host: systemHost };
    const message = await endRun(ledger, surroundings, end);
    await reachFailPoint('run-task.committed');
    const to = await ledger.read((tx) => tx.agents.find(message.to));
    if (to && (isCarried(to) || isUser(to))) looks.add(to.id);
    return describe(message, to ? nameView(to) : { id: message.to, name: message.to });
  } finally {
    await ledger.close();
    await tellDaemon(folders, env, looks, tell);
  }
}

function describe({ id, state, outcome = 'unknown' }: Message, to: AgentName): TaskCompletion {
  return { id, to, state, outcome };
}

async function spool(folders: Folders, end: RunEnd, why: string): Promise<Told> {
  try {
    return { outcome: 'spooled', path: await spoolRun(spoolFolder(folders), end), why };
  } catch (error) {
    reportBug('spooling the end of a one-shot command', error);
    const also = error instanceof Error ? error.message : String(error);
    return { outcome: 'lost', why: `${why}; ${also}` };
  }
}

/** It is on disk whatever becomes of this. */
async function tellDaemon(
  folders: Folders,
  env: NodeJS.ProcessEnv,
  looks: ReadonlySet<string>,
  tell: (sentence: string) => void,
): Promise<void> {
  if (looks.size === 0) return;
  try {
    const { DaemonLink } = await import('./socket/daemon-link.ts');
    const { look } = await import('./socket/messages.ts');
    for (const agent of looks) await look(new DaemonLink(folders, env), agent);
  } catch (error) {
    reportBug('telling the daemon of a completion', error);
    tell(`The completion waits in the ledger. ${error instanceof Error ? error.message : ''}`);
  }
}
