import type { TrialReport } from '../protocol/doctor.ts';
import type { VersionTrial } from '../providers/version-trials.ts';

/** What the lab has seen of versions of one CLI beside the one that its rules were written for. */
export function describeTrials(cli: string, rows: readonly VersionTrial[]): readonly TrialReport[] {
  return rows.filter((row) => row.cli === cli).map(describe);
}

function describe({ version, day, outcomes }: VersionTrial): TrialReport {
  const all = Object.entries(outcomes);
  const others = all.filter(([, { kind }]) => kind !== 'passed');
  return {
    version,
    day,
    held: all.length - others.length,
    cases: all.length,
    notHeld: Object.fromEntries(others.map(([name, { reason = '' }]) => [name, reason])),
  };
}
