import type { DoctorReport, Finding } from '../protocol/doctor.ts';
import { describeChecked } from './doctor-checked.ts';
import { hang } from './fold.ts';
import { inLine } from './output.ts';
import { paint, type Style } from './screen-codes.ts';

/**
 * What `doctor` found, for a person: all that needs them and nothing else, unless `all` is asked
 * for. `columns` of the terminal that it is read in; undefined where it is none.
 */
export function describeReport(report: DoctorReport, shown: Shown): string {
  const { all, columns } = shown;
  const row: Row = (style, name, text) =>
    `${paint(style, name)}${' '.repeat(margin - name.length)}${hang(inLine(text), columns, margin)}`;
  const tell = (style: Style, name: string, findings: readonly Finding[]): readonly string[] =>
    findings.map(({ what, next }) => row(style, name, `${what} ${next}`));
  const needs = [
    ...tell('red', 'problem', report.problems),
    ...tell('yellow', 'attention', report.attention),
    ...tell('yellow', 'warning', [...report.warnings, ...listVersionWarnings(report)]),
    ...tell('yellow', 'waiting', report.waiting),
    ...tell('yellow', 'question', report.questions),
  ];
  const lines = [
    ...(all ? describeChecked(report, columns) : []),
    ...report.fixed.map((what) => row('green', 'fixed', what)),
    ...needs,
    ...(all ? tell('dim', 'worktree', report.worktrees) : []),
    ...(needs.length === 0 ? describeWell(report, shown) : []),
    ...(all ? [] : [paint('dim', 'see all that was checked: signalbox doctor --all')]),
  ];
  return `${lines.join('\n')}\n`;
}

interface Shown {
  readonly all: boolean;
  readonly columns: number | undefined;
}

type Row = (style: Style, name: string, text: string) => string;

/** As wide as the names before the rows. */
const margin = 11;

function listVersionWarnings({ providers }: DoctorReport): readonly Finding[] {
  return Object.values(providers).flatMap(({ path, warning }) =>
    path !== undefined && warning ? [warning] : [],
  );
}

/** One line on 80 columns, for somebody with one or two CLIs. */
function describeWell(
  { ledger, providers }: DoctorReport,
  { all, columns }: Shown,
): readonly string[] {
  const well = paint('green', 'all is well');
  if (all) return [well];
  const found = Object.entries(providers)
    .filter(([, { path }]) => path !== undefined)
    .map(([name, { version }]) => [name, version].filter(Boolean).join(' '));
  const here =
    found.length === 0
      ? ', but no CLI that signalbox knows is on your PATH'
      : `: ${found.join(', ')}`;
  const none = ledger.exists ? '' : '; there is no ledger yet, the first command makes it';
  return [`${well}${hang(inLine(here + none), columns, 'all is well'.length)}`];
}
