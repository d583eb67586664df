import { existsSync } from 'node:fs';
import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import {
  caughtErrorsPath,
  daemonLogPath,
  type Folders,
  findFolders,
  ledgerPath,
  worktreeFolder,
} from '../config/folders.ts';
import { findLostTools } from '../fleet/lost-tools.ts';
import type { DoctorReport, Finding, LedgerReport, TerminalsReport } from '../protocol/doctor.ts';
import type { Explanation } from '../protocol/messages.ts';
import { type NotedBugs, readBugNotes } from '../shared/bug-notes.ts';
import { systemClock } from '../shared/clock.ts';
import { exitCodes, Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { requireEngine } from '../store/sqlite/open-database.ts';
import type { DirectClient } from './client.ts';
import { createDirectClient } from './direct/create.ts';
import { hasLedger, openContext } from './direct/open.ts';
import { findTakenDown } from './doctor-daemon.ts';
import { findDeaf } from './doctor-deaf.ts';
import { findNoDesktop } from './doctor-desktop.ts';
import { inspectFolder } from './doctor-folder.ts';
import { findFailedStarts } from './doctor-starts.ts';
import {
  countBackends,
  findQuestions,
  inspectProviders,
  inspectTerminals,
} from './doctor-terminals.ts';
import { findWaiting } from './doctor-waiting.ts';
import { findKeptWorktrees } from './doctor-worktrees.ts';
import { probeStateFolder } from './doctor-writable.ts';

/** What is wrong here: the ledger, the terminals, the CLIs. Needs no daemon and starts none. */
export async function examine(
  env: NodeJS.ProcessEnv,
  options: { fix: boolean },
): Promise<DoctorReport> {
  const folders = findFolders(env);
  const folder = inspectFolder(folders, options);
  // Settings, rules and providers that others may have written are not even read: some of them are
  // run.
  if (folder.problems.length > 0) return describeExposed(folders, folder);
  const disk = probeStateFolder(folders.state);
  const { backends, starts, ...examined } = await examineLedger(env, {
    ...options,
    isDiskTold: disk.attention.length > 0,
  });
  const ledger = { ...examined, fixed: [...folder.fixed, ...examined.fixed] };
  const terminals = await inspectTerminals(folders, env, backends);
  const providers = await inspectProviders(folders, env);
  const problems = [...ledger.problems, ...terminals.problems];
  const attention = [...disk.attention, ...ledger.attention];
  const warnings = [
    ...(await findDeaf(env)),
    ...starts,
    ...providers.attention,
    ...findCaughtErrors(folders),
    ...(await findNoDesktop(folders, env)),
  ];
  return {
    ...ledger,
    ok: problems.length + attention.length + warnings.length === 0,
    stateFolder: disk.report,
    terminals: terminals.report,
    providers: providers.report,
    problems,
    attention,
    warnings,
  };
}

function describeExposed(
  folders: Folders,
  { problems, fixed }: Pick<DoctorReport, 'problems' | 'fixed'>,
): DoctorReport {
  const path = ledgerPath(folders);
  const nothing = { attention: [], warnings: [], questions: [], waiting: [], worktrees: [] };
  const terminals = { backend: 'unknown', crashes: [], limits: [], agents: {}, others: [] };
  const ledger = { path, exists: existsSync(path) };
  const stateFolder = { path: folders.state, exists: existsSync(folders.state) };
  return { ok: false, ledger, stateFolder, problems, fixed, terminals, providers: {}, ...nothing };
}

/**
 * Mistakes of ours that some process caught and went on after; silence would hide what they cost.
 */
function findCaughtErrors(folders: Folders): readonly Finding[] {
  const path = caughtErrorsPath(folders);
  let bugs: NotedBugs | undefined;
  try {
    bugs = readBugNotes(path, systemClock.now());
  } catch (error) {
    // Told to whoever asks.
    const why = error instanceof Error ? error.message : String(error);
    return [
      {
        what: `Whether signalbox caught internal errors is not known: ${path} cannot be read (${why}).`,
        next: 'See who owns it and its mode; `signalbox doctor` then reads it again.',
      },
    ];
  }
  if (!bugs) return [];
  const { times, first } = bugs;
  const count = times === 1 ? 'an internal error' : `${times} internal errors`;
  return [
    {
      what: `signalbox caught ${count} in the last 24 hours; the first, in ${first.place}: ${first.error}.`,
      next: `See ${daemonLogPath(folders)} and ${path}, and please report it.`,
    },
  ];
}

/** Agents that run on without the tools they were launched with. */
async function describeLostTools(
  tx: LedgerTransaction,
  agents: readonly Agent[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const agent of agents) {
    const lost = await findLostTools(tx, agent);
    if (lost) findings.push({ what: `"${callName(agent)}": ${lost.what}.`, next: lost.next });
  }
  return findings;
}

type Examined = LedgerReport &
  Pick<DoctorReport, 'questions' | 'waiting' | 'worktrees'> & {
    readonly backends: TerminalsReport['agents'];
    /** A daemon that is kept down, and lives that ended at their start. */
    readonly starts: readonly Finding[];
  };

async function examineLedger(
  env: NodeJS.ProcessEnv,
  options: { readonly fix: boolean; readonly isDiskTold: boolean },
): Promise<Examined> {
  const path = ledgerPath(findFolders(env));
  const nothing = {
    ...{ problems: [], attention: [], fixed: [], questions: [], waiting: [], worktrees: [] },
    backends: {},
    starts: [],
  };
  try {
    // A ledger that is to come needs a database as much as one that is there.
    requireEngine();
    // Looking must not make a ledger where there is none.
    if (!hasLedger(env)) return { ok: true, ledger: { path, exists: false }, ...nothing };
    const context = await openContext(env);
    const client = createDirectClient(context);
    try {
      const report = await client.doctor(options);
      const agents = await context.ledger.read((tx) => tx.agents.list());
      const worktrees = findKeptWorktrees(worktreeFolder(findFolders(env)), agents);
      const lost = await context.ledger.read((tx) => describeLostTools(tx, agents));
      const [questions, backends] = [findQuestions(agents), countBackends(agents)];
      // Explaining settles what is due, and nothing is written into a damaged ledger.
      const isSound = report.problems.length === 0;
      const waiting = isSound
        ? await findWaiting(context, agents, (id) => explain(env, client, id))
        : [];
      const attention = [...report.attention, ...lost];
      const starts = [
        ...findTakenDown(findFolders(env), agents),
        ...(await findFailedStarts(context.ledger, findFolders(env), agents)),
      ];
      return { ...report, attention, starts, questions, waiting, worktrees, backends };
    } finally {
      await client.close();
    }
  } catch (error) {
    // What fails every other command is what this one is asked about.
    if (!(error instanceof Fault) || exitCodes[error.code] !== 1) throw error;
    // What keeps a byte from the folder keeps the ledger from being opened, and is told already.
    const isTold = error.code === 'ledger-unwritable' && options.isDiskTold;
    const what = { what: error.message, next: error.next.replaceAll('\n', ' ') };
    const problems = isTold ? [] : [what];
    return { ok: false, ledger: { path, exists: existsSync(path) }, ...nothing, problems };
  }
}

/**
 * As the daemon knows it, where one runs; doctor starts none, and one that does not answer leaves
 * what the ledger knows.
 */
async function explain(
  env: NodeJS.ProcessEnv,
  client: DirectClient,
  id: string,
): Promise<Explanation> {
  const known = await client.explain(id);
  const { DaemonLink } = await import('./socket/daemon-link.ts');
  const { explain: ask } = await import('./socket/messages.ts');
  try {
    return await ask(new DaemonLink(findFolders(env), env), known);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return known;
  }
}
