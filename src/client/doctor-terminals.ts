import type { Agent } from '../agents/agent.ts';
import type { Folders } from '../config/folders.ts';
import { loadSettings } from '../config/settings.ts';
import type { Finding, ProviderReport, TeamReport, TerminalsReport } from '../protocol/doctor.ts';
import { loadBuiltIn } from '../providers/detector/load.ts';
import { ordinaryCallMs, type Provider } from '../providers/provider.ts';
import { openProviderShelf } from '../providers/registry.ts';
import { loadTeamRecords, type TeamRecord } from '../providers/team-record.ts';
import { Fault } from '../shared/fault.ts';
import { findOnPath } from '../shared/find-on-path.ts';
import { inspectHerdr } from '../terminals/herdr/inspect.ts';
import { listKnownCrashes } from '../terminals/tmux/known-crashes.ts';
import { requireTmux } from '../terminals/tmux/version.ts';

/** The program that terminals live in, as the person who asks has it. The daemon is neither needed nor started. */
export async function inspectTerminals(
  folders: Folders,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly report: TerminalsReport; readonly problems: readonly Finding[] }> {
  let backend = 'tmux';
  try {
    const settings = await loadSettings(folders, env);
    backend = String(settings.terminal.value);
    if (backend === 'herdr') {
      const found = await inspectHerdr(env, settings['herdr-session'].value);
      return { report: { backend, crashes: [], ...found }, problems: [] };
    }
    const version = await requireTmux({ tmux: 'tmux', env });
    const crashes = listKnownCrashes(version);
    return { report: { backend, version, crashes, limits: [] }, problems: [] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const problem = { what: error.message, next: error.next };
    return { report: { backend, crashes: [], limits: [] }, problems: [problem] };
  }
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
  const report: Record<string, ProviderReport> = {};
  const attention: Finding[] = [];
  for (const name of shelf.names) {
    if (name === 'generic') continue;
    const provider = await shelf.find(name);
    const { tested } = await loadBuiltIn(name);
    const path = await findOnPath(provider.executable, env['PATH'] ?? '');
    const version = path && (await provider.readVersion(path).catch(() => undefined));
    const record = records[name];
    const warning = findUntested(provider.title, version, tested);
    report[name] = {
      ...(path ? { path } : {}),
      ...(version ? { version } : {}),
      tested,
      ...(record ? { team: describeTeam(provider, record) } : {}),
      ...(warning ? { warning } : {}),
    };
    const { trouble } = await shelf.loadDetector(name);
    if (trouble) attention.push({ what: trouble.message, next: trouble.next });
  }
  return { report, attention };
}

function describeTeam({ capabilities }: Provider, record: TeamRecord): TeamReport {
  const { routes, evidence, toolCallMs = ordinaryCallMs } = capabilities;
  return { ...record, routes, evidence, handoffMs: toolCallMs };
}

/** Most of what was seen in one version holds in the next, but nobody has tried. */
function findUntested(
  title: string,
  version: string | undefined,
  tested: string,
): Finding | undefined {
  if (version === undefined || version === tested) return undefined;
  return {
    what: `${title} ${version} was not tested; what is known of it was seen in ${tested}.`,
    next: 'Watch its first messages with `signalbox explain`, or install the tested version.',
  };
}

/** What a CLI asks a person is the person's to answer (rule 39); until then its agent waits. */
export function findQuestions(agents: readonly Agent[]): readonly Finding[] {
  return agents
    .filter(({ status }) => status === 'waiting')
    .map(({ name, detail }) => ({
      what: `"${name}" waits for you${detail === undefined ? '' : ` (${detail})`}.`,
      next: `Answer it: \`signalbox attach ${name}\`.`,
    }));
}
