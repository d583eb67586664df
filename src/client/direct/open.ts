import type { Agent } from '../../agents/agent.ts';
import { isUser, userAgentId } from '../../agents/agent.ts';
import {
  caughtErrorsPath,
  type Folders,
  findFolders,
  ledgerPath,
  spoolFolder,
} from '../../config/folders.ts';
import { loadSettings } from '../../config/settings.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { noteBug } from '../../shared/bug-notes.ts';
import { systemClock } from '../../shared/clock.ts';
import { hasControllingTerminal } from '../../shared/controlling-terminal.ts';
import { Fault } from '../../shared/fault.ts';
import { systemHost } from '../../shared/processes.ts';
import { keepBugs } from '../../shared/report-bug.ts';
import type { Ledger, LedgerTransaction } from '../../store/ledger.ts';
import { ledgerExists, openSqliteLedger } from '../../store/sqlite/open.ts';
import type { DirectClient } from '../client.ts';
import { type Context, tellOf } from './context.ts';
import { retainInPassing } from './retain.ts';

/** The client that works on the ledger itself, without a daemon. */
export async function openDirectClient(env: NodeJS.ProcessEnv): Promise<DirectClient> {
  return createDirectClient(await openContext(env));
}

export async function openContext(env: NodeJS.ProcessEnv): Promise<Context> {
  const folders = findFolders(env);
  const settings = await loadSettings(folders, env);
  keepBugs((bug) => noteBug(caughtErrorsPath(folders), bug, systemClock.now()));
  const ledger = await openSqliteLedger(ledgerPath(folders), {
    clock: systemClock,
    lockWaitMs: settings['lock-wait'].value,
  });
  try {
    const found = await findCaller(ledger, env['SIGNALBOX_AGENT']);
    const isScript = isUser(found) && !hasControllingTerminal();
    const caller: Agent = isScript ? { ...found, isScript } : found;
    const surroundings = { clock: systemClock, host: systemHost };
    const looks = new Set<string>();
    const context = { ledger, surroundings, settings, folders, caller, looks };
    if (caller.backend !== 'none') await answerForHandedOut(context);
    await tellEndedRuns(context, folders);
    return context;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/**
 * Whatever an agent calls next, it has read what its last command printed (rule 17). Left to the
 * next one if it fails.
 */
async function answerForHandedOut({ ledger, surroundings, caller }: Context): Promise<void> {
  const { byCommand, settleHandedOut } = await import('../../delivery/settle-handed-out.ts');
  try {
    await settleHandedOut({ ledger, surroundings }, caller.id, byCommand);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/**
 * Of one-shot commands whose wrapper could not (rule 32): whoever comes next does it. Left to the
 * next one if it fails.
 */
async function tellEndedRuns(context: Context, folders: Folders): Promise<void> {
  const { ledger, surroundings } = context;
  if ((await ledger.read((tx) => tx.runs.listOpen())).length === 0) return;
  const { settleRuns } = await import('../../fleet/settle-runs.ts');
  try {
    for (const { to } of await settleRuns({ ledger, surroundings, spool: spoolFolder(folders) })) {
      const recipient = await ledger.read((tx) => tx.agents.find(to));
      if (recipient) tellOf(context, recipient);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

export function hasLedger(env: NodeJS.ProcessEnv): boolean {
  return ledgerExists(ledgerPath(findFolders(env)));
}

/**
 * On the ledger itself SIGNALBOX_AGENT is believed: who can read the file could be anybody anyway.
 */
async function findCaller(ledger: Ledger, reference: string | undefined): Promise<Agent> {
  return ledger.read(async (tx) => {
    if (!reference) return resolveAgent(tx, (await findTerminalOwner(tx)) ?? userAgentId);
    try {
      return await resolveAgent(tx, reference);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const message = `SIGNALBOX_AGENT does not name an agent: ${error.message}`;
      throw new Fault(error.code, message, error.next, { cause: error });
    }
  });
}

/**
 * Whose terminal this is, for a program that was started without SIGNALBOX_AGENT (O9): an agent's
 * process among our ancestors says so. A pane that a person split off from an agent's is not its
 * terminal, and the person there is the user.
 */
async function findTerminalOwner(tx: LedgerTransaction): Promise<string | undefined> {
  const lives = (await tx.epochs.listOpen()).filter(({ terminal }) => terminal !== undefined);
  if (lives.length === 0) return undefined;
  const { listAncestors } = await import('../../shared/process-tree.ts');
  const ancestors = new Set(listAncestors().map(({ pid, startedAt }) => `${pid} ${startedAt}`));
  const own = lives.find(({ terminal = '{}' }) => {
    const { pid, startedAt } = JSON.parse(terminal) as { pid?: number; startedAt?: string };
    return ancestors.has(`${pid} ${startedAt}`);
  });
  return own?.agent;
}

/**
 * Each request loads its own code: a `send` that is 10 ms quicker is noticed by whoever sends a
 * thousand.
 */
export function createDirectClient(context: Context): DirectClient {
  const agents = () => import('./agents.ts');
  const inbox = () => import('./inbox.ts');
  const story = () => import('./story.ts');
  const deadLetters = () => import('./dead-letters.ts');
  return {
    caller: { id: context.caller.id, name: context.caller.name },
    addAgent: async (wanted) => (await agents()).addAgent(context, wanted),
    listAgents: async (session) => (await agents()).listAgents(context, session),
    showAgent: async (reference) => (await agents()).showAgent(context, reference),
    removeAgents: async (which) => (await agents()).removeAgents(context, which),
    send: async (message) => (await import('./send.ts')).send(context, message),
    listInbox: async (agent, query) => (await inbox()).listInbox(context, agent, query),
    show: async (id) => (await inbox()).show(context, id),
    showOut: async (id, wish) => (await inbox()).showOut(context, id, wish),
    drain: async (agent, wanted) => (await inbox()).drain(context, agent, wanted),
    ack: async (ids) => (await inbox()).ack(context, ids),
    explain: async (id) => (await story()).explain(context, id),
    waitFor: async (id, state, timeoutMs) => (await story()).waitFor(context, id, state, timeoutMs),
    listDeadLetters: async (query) => (await deadLetters()).listDeadLetters(context, query),
    retryDeadLetter: async (id) => (await deadLetters()).retryDeadLetter(context, id),
    discardDeadLetter: async (id) => (await deadLetters()).discardDeadLetter(context, id),
    doctor: async (options) => (await import('./doctor.ts')).doctor(context, options),
    close: async () => {
      if (context.hasWritten) await retainInPassing(context);
      await context.ledger.close();
    },
  };
}
