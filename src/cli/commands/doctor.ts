import type { Command } from 'commander';
import type { DoctorReport } from '../../protocol/doctor.ts';
import { writeJson, writeOut } from '../output.ts';
import { example, jsonOption } from './options.ts';

/**
 * Dead letters or uncertain messages need a person, or the state folder cannot be written; nothing
 * else does so.
 */
const attentionExitCode = 7;

interface DoctorOptions {
  readonly all?: true;
  readonly fix?: true;
  readonly json?: true;
}

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('check this installation, and say what needs you and how to fix it')
    .option('--all', 'also print what was checked and is well: ledger, terminals, CLIs, worktrees')
    .option('--fix', 'fix the problems that need no decision of yours');
  jsonOption(command);
  example(command, 'signalbox doctor', 'signalbox doctor --all', 'signalbox doctor --fix');
  command.action(async (options: DoctorOptions) => {
    const { examine } = await import('../../client/doctor.ts');
    const report = await examine(process.env, { fix: options.fix === true });
    if (options.json) writeJson<DoctorReport>(report);
    else {
      const { describeReport } = await import('../doctor-text.ts');
      const shown = { all: options.all === true, columns: process.stdout.columns };
      writeOut(describeReport(report, shown));
    }
    if (report.problems.length > 0) process.exitCode = 1;
    else if (report.attention.length > 0) process.exitCode = attentionExitCode;
  });
}
