import type { Command } from 'commander';
import type {
  BackendReport,
  DoctorReport,
  ProviderReport,
  TeamReport,
} from '../../protocol/doctor.ts';
import { formatSize, formatSpan } from '../../shared/units.ts';
import { inLine, writeJson, writeOut } from '../output.ts';
import { paint } from '../screen-codes.ts';
import { example, jsonOption } from './options.ts';

/** Dead letters or uncertain messages need a person, and nothing else does so. */
const attentionExitCode = 7;

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('check this installation and say how to fix each problem')
    .option('--fix', 'fix the problems that need no decision of yours');
  jsonOption(command);
  example(command, 'signalbox doctor --fix');
  command.action(async (options: { fix?: true; json?: true }) => {
    const { examine } = await import('../../client/doctor.ts');
    const report = await examine(process.env, { fix: options.fix === true });
    options.json ? writeJson<DoctorReport>(report) : writeOut(describe(report));
    if (report.problems.length > 0) process.exitCode = 1;
    else if (report.attention.length > 0) process.exitCode = attentionExitCode;
  });
}

function describe(report: DoctorReport): string {
  const { ledger, problems, attention, warnings, waiting, fixed, questions } = report;
  const lines = [`ledger     ${inLine(ledger.path)}`];
  if (ledger.engine) {
    const counts = Object.entries(ledger.messages ?? {}).map(([state, n]) => `${n} ${state}`);
    lines.push(
      `           ${ledger.engine}, schema ${ledger.schema}, ${describeSize(ledger)}, ${ledger.id}`,
      `agents     ${ledger.agents}`,
      `messages   ${counts.join(', ') || 'none'}`,
    );
  } else if (problems.length === 0) {
    lines.push('           there is none yet; the first command that needs it makes it');
  }
  lines.push(...describeTerminals(report), ...describeProviders(report));
  for (const what of fixed) lines.push(`${paint('green', 'fixed')}      ${inLine(what)}`);
  for (const { what, next } of problems) {
    lines.push(`${paint('red', 'problem')}    ${inLine(`${what} ${next}`)}`);
  }
  for (const { what, next } of attention) {
    lines.push(`${paint('yellow', 'attention')}  ${inLine(`${what} ${next}`)}`);
  }
  for (const { what, next } of warnings) {
    lines.push(`${paint('yellow', 'warning')}    ${inLine(`${what} ${next}`)}`);
  }
  for (const { what, next } of waiting) {
    lines.push(`${paint('yellow', 'waiting')}    ${inLine(`${what} ${next}`)}`);
  }
  for (const { what, next } of questions) {
    lines.push(`${paint('yellow', 'question')}   ${inLine(`${what} ${next}`)}`);
  }
  for (const { what, next } of report.worktrees) {
    lines.push(`${paint('dim', 'worktree')}   ${inLine(`${what} ${next}`)}`);
  }
  const all = [problems, attention, warnings, waiting, questions];
  if (all.every((found) => found.length === 0)) lines.push(paint('green', 'all is well'));
  return `${lines.join('\n')}\n`;
}

function describeSize({ bytes = 0, freeBytes = 0, canShrink }: DoctorReport['ledger']): string {
  if (freeBytes === 0) return formatSize(bytes);
  const how = canShrink === false ? ', which `doctor --fix` gives back to the disk' : '';
  return `${formatSize(bytes)} (${formatSize(freeBytes)} of it free${how})`;
}

function describeTerminals({ terminals }: DoctorReport): readonly string[] {
  const { agents, others } = terminals;
  const counts = Object.entries(agents).map(([name, n]) => `${n} in ${name}`);
  const lines = [terminals, ...others].flatMap(describeBackend);
  if (others.length > 0) lines.push(`           agents: ${counts.join(', ')}`);
  return lines;
}

function describeBackend({ backend, version, crashes, limits }: BackendReport): readonly string[] {
  if (version === undefined && limits.length === 0) return [];
  return [
    `terminals  ${backend} ${inLine(version ?? '(no server runs; it is started when it is needed)')}`,
    ...limits.map((what) => paint('dim', `           ${inLine(what)}`)),
    ...crashes.map((what) => paint('dim', `           this version crashes on ${what}`)),
    ...(crashes.length > 0 ? [paint('dim', '           signalbox never does that')] : []),
  ];
}

function describeProviders({ providers }: DoctorReport): readonly string[] {
  const found = Object.entries(providers).filter(([, { path }]) => path !== undefined);
  const missing = Object.keys(providers).filter((name) => providers[name]?.path === undefined);
  const lines = found.flatMap(([name, provider]) => {
    const { version = 'unknown version', team } = provider;
    return [
      `${name} ${version} (${describeVersion(provider)})`,
      ...describeTried(name, provider),
      ...(team ? describeTeam(team) : []),
      ...describeOthers(provider),
    ];
  });
  if (missing.length > 0) lines.push(paint('dim', `not installed: ${missing.join(', ')}`));
  const warnings = found.flatMap(([, { warning }]) => (warning ? [warning] : []));
  return [
    ...lines.map((line, i) => `${(i === 0 ? 'providers' : '').padEnd(9)}  ${inLine(line)}`),
    ...warnings.map(
      ({ what, next }) => `${paint('yellow', 'warning')}    ${inLine(`${what} ${next}`)}`,
    ),
  ];
}

function describeVersion({ version, tested, tried }: ProviderReport): string {
  if (version === tested) return 'tested';
  if (tried.some((one) => one.version === version)) {
    return `tried; its rules were written for ${tested}`;
  }
  return `not tested; its rules were written for ${tested}`;
}

/** Of the installed version. */
function describeTried(name: string, { version, tried }: ProviderReport): readonly string[] {
  const own = tried.find((one) => one.version === version);
  if (!own) return [];
  return [`  ${name} ${own.version}: tried on ${own.day}, ${own.held} of ${own.cases} hold`];
}

function describeOthers({ version, tried }: ProviderReport): readonly string[] {
  const others = tried.filter((one) => one.version !== version);
  if (others.length === 0) return [];
  const counts = others.map((one) => `${one.version} ${one.held}/${one.cases}`);
  return [paint('dim', `  other versions, cases that hold: ${counts.join(', ')}`)];
}

/** What the lab has seen it do, on two lines at most. */
function describeTeam(team: TeamReport): readonly string[] {
  const facts = [
    `in ${team.version}: ${team.passed} of ${team.tried} team cases`,
    ...(team.toolsWithoutDialog ? [] : ['asks a person about our tools']),
    ...(team.medianMs === undefined ? [] : [`answers after ${formatSpan(team.medianMs)}`]),
    `handoff waits ${formatSpan(team.handoffMs)}`,
    `${team.routes.join(', ')}; your words by: ${team.prompts.join(', ')}; evidence: ${team.evidence}`,
  ];
  return [paint('dim', `  ${facts.join(' · ')}`)];
}
