import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import type { Folders } from '../config/folders.ts';
import { loadSettings } from '../config/settings.ts';
import type {
  BackendReport,
  Finding,
  ProviderReport,
  TeamReport,
  TerminalsReport,
} from '../protocol/doctor.ts';
import { ordinaryCallMs } from '../providers/capabilities.ts';
import { judgeVersion } from '../providers/judge-version.ts';
import type { Provider } from '../providers/provider.ts';
import { openProviderShelf } from '../providers/registry.ts';
import { loadTeamRecords, type TeamRecord } from '../providers/team-record.ts';
import { describeTrials, loadVersionTrials } from '../providers/version-trials.ts';
import { Fault } from '../shared/fault.ts';
import { findOnPath } from '../shared/find-on-path.ts';
import { inspectHerdr } from '../terminals/herdr/inspect.ts';
import { inspectTmux } from '../terminals/tmux/inspect.ts';
import { describeData, findLoosened, findOtherData } from './doctor-data.ts';

/**
 * The programs that terminals live in, as the person who asks has them. The daemon is neither
 * needed nor started.
 */
export async function inspectTerminals(
  folders: Folders,
  env: NodeJS.ProcessEnv,
  agents: Readonly<Record<string, number>> = {},
): Promise<{ readonly report: TerminalsReport; readonly problems: readonly Finding[] }> {
  const problems: Finding[] = [];
  const usual = await findDefault(folders, env).catch(note);
  const report = await inspect(usual ?? 'tmux');
  const names = Object.keys(agents).filter((name) => name !== report.backend);
  const others = await Promise.all(names.map(inspect));
  return { report: { ...report, agents, others }, problems };

  async function inspect(backend: string): Promise<BackendReport> {
    const found = await findProgram(backend, { env, folders }).catch(note);
    return { backend, crashes: [], limits: [], ...found };
  }

  function note(error: unknown): undefined {
    if (!(error instanceof Fault)) throw error;
    problems.push({ what: error.message, next: error.next });
  }
}

async function findDefault(folders: Folders, env: NodeJS.ProcessEnv): Promise<string> {
  return (await loadSettings(folders, env)).terminal.value;
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly folders: Folders;
}

async function findProgram(
  backend: string,
  around: Surroundings,
): Promise<Omit<BackendReport, 'backend'>> {
  const inspect = Object.hasOwn(programs, backend) ? programs[backend] : undefined;
  if (inspect) return inspect(around);
  throw new Fault(
    'config-invalid',
    `The terminal backend "${backend}" is not available in this version.`,
    'Its agents are left as they are; use `signalbox config set terminal tmux` for new ones.',
  );
}

const programs: Readonly<
  Record<string, (around: Surroundings) => Promise<Omit<BackendReport, 'backend'>>>
> = {
  tmux: ({ env, folders }) => inspectTmux(folders.state, env),
  herdr: async ({ env, folders }) => {
    const settings = await loadSettings(folders, env);
    return { crashes: [], ...(await inspectHerdr(env, settings['herdr-session'].value)) };
  },
};

/** Of agents that run, as far as the ledger knows. */
export function countBackends(agents: readonly Agent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { backend, status } of agents) {
    if (backend !== 'none' && status !== 'exited') counts[backend] = (counts[backend] ?? 0) + 1;
  }
  return counts;
}

/** Which CLIs are there, in which versions, and for which their rules were written. */
export async function inspectProviders(
  folders: Folders,
  env: NodeJS.ProcessEnv,
): Promise<{
  readonly report: Readonly<Record<string, ProviderReport>>;
  readonly attention: readonly Finding[];
}> {
  const shelf = openProviderShelf(folders);
  const records = loadTeamRecords();
  const trials = loadVersionTrials();
  const report: Record<string, ProviderReport> = {};
  const attention: Finding[] = [];
  for (const name of shelf.names) {
    if (name === 'generic') continue;
    const provider = await shelf.find(name);
    const { detector, data, trouble } = await shelf.loadDetector(name);
    const { tested } = detector;
    const path = await findOnPath(provider.executable, env['PATH'] ?? '').catch(unlessFault);
    if (path instanceof Fault) {
      // Neither there nor missing: it is listed among neither.
      attention.push({ what: path.message, next: path.next });
      continue;
    }
    // It went away since it was found, or is not ours to read: it is shown without a version.
    const version = path && (await provider.readVersion(path).catch(() => undefined));
    const record = records[name];
    const tried = describeTrials(name, trials);
    const warning = judgeVersion(provider.title, version, { tested, tried });
    report[name] = {
      ...(path ? { path } : {}),
      ...(version ? { version } : {}),
      tested,
      tried,
      ...(data ? { data: describeData(data) } : {}),
      ...(record ? { team: describeTeam(provider, record) } : {}),
      ...(warning ? { warning } : {}),
    };
    if (trouble) attention.push({ what: trouble.message, next: trouble.next });
    if (data) attention.push(...findLoosened(data));
  }
  attention.push(...(await findOtherData(folders, shelf)));
  return { report, attention };
}

function unlessFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}

function describeTeam({ capabilities }: Provider, record: TeamRecord): TeamReport {
  const { routes, prompts, evidence, toolCallMs = ordinaryCallMs } = capabilities;
  return { ...record, routes, prompts, evidence, handoffMs: toolCallMs };
}

/** What a CLI asks a person is the person's to answer (rule 39); until then its agent waits. */
export function findQuestions(agents: readonly Agent[]): readonly Finding[] {
  return agents
    .filter(({ status }) => status === 'waiting')
    .map((agent) => ({
      what: `"${callName(agent)}" waits for you${agent.detail === undefined ? '' : ` (${agent.detail})`}.`,
      next: `Answer it: \`signalbox attach ${callName(agent)}\`.`,
    }));
}
