import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { findFolders, ledgerPath } from '../../config/folders.ts';
import type { DoctorReport } from '../../protocol/doctor.ts';
import { exitCodes, Fault } from '../../shared/fault.ts';
import { formatSize } from '../../shared/units.ts';
import { paint, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { example, jsonOption } from './options.ts';

/** Dead letters or uncertain messages need attention. */
const attentionExitCode = 7;

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('what is wrong here and how to mend it')
    .option('--fix', 'mend what can be mended without a person');
  jsonOption(command);
  example(command, 'signalbox doctor --fix');
  command.action(async (options: { fix?: true; json?: true }) => {
    const report = await examine(options.fix === true);
    options.json ? writeJson(report) : writeOut(describe(report));
    if (report.problems.length > 0) process.exitCode = 1;
    else if (report.attention.length > 0) process.exitCode = attentionExitCode;
  });
}

async function examine(fix: boolean): Promise<DoctorReport> {
  const { hasLedger } = await import('../../client/direct/open.ts');
  const path = ledgerPath(findFolders(process.env));
  const nothing = { problems: [], attention: [], fixed: [] };
  try {
    // Looking must not make a ledger where there is none.
    if (hasLedger(process.env)) return await withClient((client) => client.doctor({ fix }));
    return { ok: true, ledger: { path, exists: false }, ...nothing };
  } catch (error) {
    // What fails every other command is what this one is asked about.
    if (!(error instanceof Fault) || exitCodes[error.code] !== 1) throw error;
    const problems = [{ what: error.message, next: error.next }];
    return { ok: false, ledger: { path, exists: existsSync(path) }, ...nothing, problems };
  }
}

function describe({ ledger, problems, attention, fixed }: DoctorReport): string {
  const lines = [`ledger     ${ledger.path}`];
  if (ledger.engine) {
    const counts = Object.entries(ledger.messages ?? {}).map(([state, n]) => `${n} ${state}`);
    lines.push(
      `           ${ledger.engine}, schema ${ledger.schema}, ${formatSize(ledger.bytes ?? 0)}, ${ledger.id}`,
      `agents     ${ledger.agents}`,
      `messages   ${counts.join(', ') || 'none'}`,
    );
  } else if (problems.length === 0) {
    lines.push('           there is none yet; the first command that needs it makes it');
  }
  for (const what of fixed) lines.push(`${paint('green', 'fixed')}      ${what}`);
  for (const { what, next } of problems)
    lines.push(`${paint('red', 'problem')}    ${what} ${next}`);
  for (const { what, next } of attention) {
    lines.push(`${paint('yellow', 'attention')}  ${what} ${next}`);
  }
  if (problems.length + attention.length === 0) lines.push(paint('green', 'all is well'));
  return `${lines.join('\n')}\n`;
}
