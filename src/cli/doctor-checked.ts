import type {
  BackendReport,
  DoctorReport,
  ProviderReport,
  TeamReport,
} from '../protocol/doctor.ts';
import { formatSize, formatSpan } from '../shared/units.ts';
import { hang } from './fold.ts';
import { inLine } from './output.ts';
import { paint } from './screen-codes.ts';

/** All that `doctor` looked at, whether something is wrong with it or not. */
export function describeChecked(
  report: DoctorReport,
  columns: number | undefined,
): readonly string[] {
  const facts = [
    ...describeLedger(report),
    ...describeFolder(report),
    ...describeTerminals(report),
    ...describeProviders(report),
  ];
  return facts.map(({ name = '', text, isDim }) => {
    const indent = /^ */.exec(text)?.[0].length ?? 0;
    const row = hang(inLine(text.trimStart()), columns, 11 + indent);
    return `${name.padEnd(11 + indent)}${isDim ? paintLines(row) : row}`;
  });
}

/** A line of what was looked at; its text may be indented, and what follows it is, too. */
interface Fact {
  /** Before the first line of several. */
  readonly name?: string;
  readonly text: string;
  readonly isDim?: true;
}

function paintLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\S.*$/, (words) => paint('dim', words)))
    .join('\n');
}

function describeLedger({ ledger, problems }: DoctorReport): readonly Fact[] {
  const path = { name: 'ledger', text: ledger.path };
  if (!ledger.engine) {
    const text = 'there is none yet; the first command that needs it makes it';
    return ledger.exists || problems.length > 0 ? [path] : [path, { text }];
  }
  const counts = Object.entries(ledger.messages ?? {}).map(([state, n]) => `${n} ${state}`);
  return [
    path,
    { text: `${ledger.engine}, schema ${ledger.schema}, ${describeSize(ledger)}, ${ledger.id}` },
    { name: 'agents', text: String(ledger.agents) },
    { name: 'messages', text: counts.join(', ') || 'none' },
  ];
}

function describeSize({ bytes = 0, freeBytes = 0, canShrink }: DoctorReport['ledger']): string {
  if (freeBytes === 0) return formatSize(bytes);
  const how = canShrink === false ? ', which `doctor --fix` gives back to the disk' : '';
  return `${formatSize(bytes)} (${formatSize(freeBytes)} of it free${how})`;
}

/** What cannot be written is told among what needs a person. */
function describeFolder({ stateFolder }: DoctorReport): readonly Fact[] {
  const { path, exists, canWrite } = stateFolder;
  if (!exists || canWrite !== true) return [];
  return [{ name: 'folder', text: `${path}: a byte was written and removed` }];
}

function describeTerminals({ terminals }: DoctorReport): readonly Fact[] {
  const { agents, others } = terminals;
  const counts = Object.entries(agents).map(([name, n]) => `${n} in ${name}`);
  const facts = [terminals, ...others].flatMap(describeBackend);
  return others.length > 0 ? [...facts, { text: `agents: ${counts.join(', ')}` }] : facts;
}

function describeBackend({ backend, version, crashes, limits }: BackendReport): readonly Fact[] {
  if (version === undefined && limits.length === 0) return [];
  const dim = (text: string): Fact => ({ text, isDim: true });
  const known = version ?? '(no server runs; it is started when it is needed)';
  return [
    { name: 'terminals', text: `${backend} ${known}` },
    ...limits.map(dim),
    ...crashes.map((what) => dim(`this version crashes on ${what}`)),
    ...(crashes.length > 0 ? [dim('signalbox never does that')] : []),
  ];
}

function describeProviders({ providers }: DoctorReport): readonly Fact[] {
  const found = Object.entries(providers).filter(([, { path }]) => path !== undefined);
  const missing = Object.keys(providers).filter((name) => providers[name]?.path === undefined);
  const facts = found.flatMap(([name, provider]): readonly Fact[] => {
    const { version = 'unknown version', team } = provider;
    return [
      { text: `${name} ${version} (${describeVersion(provider)})` },
      ...describeData(provider),
      ...describeTried(name, provider),
      ...(team ? describeTeam(team) : []),
      ...describeOthers(provider),
    ];
  });
  if (missing.length > 0) facts.push({ text: `not installed: ${missing.join(', ')}`, isDim: true });
  return facts.map((fact, i) => (i === 0 ? { ...fact, name: 'providers' } : fact));
}

function describeVersion({ version, tested, tried }: ProviderReport): string {
  if (version === tested) return 'tested';
  if (tried.some((one) => one.version === version)) {
    return `tried; its rules were written for ${tested}`;
  }
  return `not tried; its rules were written for ${tested}`;
}

/** The user's own file over the built-in rules, by its version and the beginning of its hash. */
function describeData({ data }: ProviderReport): readonly Fact[] {
  if (!data) return [];
  const { path, version, sha256, rules, capabilities, loosens } = data;
  const facts = [
    version === undefined ? 'no version' : `version ${version}`,
    `sha256 ${sha256.slice(0, 12)}`,
    ...(rules.length === 0 ? [] : [`rules: ${rules.join(', ')}`]),
    ...(capabilities.length === 0 ? [] : [`capabilities: ${capabilities.join(', ')}`]),
    ...(loosens.length === 0 ? [] : [`loosens: ${loosens.join(', ')}`]),
  ];
  return [{ text: `  your data: ${path} · ${facts.join(' · ')}` }];
}

/** Of the installed version. */
function describeTried(name: string, { version, tried }: ProviderReport): readonly Fact[] {
  const own = tried.find((one) => one.version === version);
  if (!own) return [];
  const held = `${own.held} of ${own.cases} hold`;
  return [{ text: `  ${name} ${own.version}: tried on ${own.day}, ${held}` }];
}

function describeOthers({ version, tried }: ProviderReport): readonly Fact[] {
  const others = tried.filter((one) => one.version !== version);
  if (others.length === 0) return [];
  const counts = others.map((one) => `${one.version} ${one.held}/${one.cases}`);
  return [{ text: `  other versions, cases that hold: ${counts.join(', ')}`, isDim: true }];
}

/** What the lab has seen it do. */
function describeTeam(team: TeamReport): readonly Fact[] {
  const facts = [
    `in ${team.version}: ${team.passed} of ${team.tried} team cases`,
    ...(team.toolsWithoutDialog ? [] : ['asks a person about our tools']),
    ...(team.medianMs === undefined ? [] : [`answers after ${formatSpan(team.medianMs)}`]),
    `handoff waits ${formatSpan(team.handoffMs)}`,
    `${team.routes.join(', ')}; your words by: ${team.prompts.join(', ')}; evidence: ${team.evidence}`,
  ];
  return [{ text: `  ${facts.join(' · ')}`, isDim: true }];
}
