import type { TriedVersion } from './version-trials.ts';

/** What a person should know of a version, and what to do about it. */
export interface VersionWarning {
  readonly what: string;
  readonly next: string;
}

/**
 * The one judgement of a CLI's version, for `doctor`, `launch`, `status` and `send`: undefined for
 * the one that its rules were written for, and for one in which the lab saw every case hold.
 */
export function judgeVersion(
  title: string,
  version: string | undefined,
  { tested, tried }: { readonly tested: string; readonly tried: readonly TriedVersion[] },
): VersionWarning | undefined {
  if (version === undefined || version === tested) return undefined;
  const trial = tried.find((one) => one.version === version);
  if (trial) return describeNotHeld(title, trial, tested);
  // Most of what was seen in one version holds in the next, but nobody has tried.
  return {
    what: `${title} ${version} has not been tried with signalbox; ${tested} has.`,
    next: `Watch its first messages with \`signalbox explain\`, or install ${tested}.`,
  };
}

/** Not a version that nobody has tried: what does not hold in it is known. */
function describeNotHeld(
  title: string,
  { version, day, held, cases, notHeld }: TriedVersion,
  tested: string,
): VersionWarning | undefined {
  if (held === cases) return undefined;
  const [name = '', why = ''] = Object.entries(notHeld)[0] ?? [];
  return {
    what: `${title} ${version} was tried on ${day}: ${held} of ${cases} cases hold; not ${name}: ${why.replace(/\.$/, '')}.`,
    next: `Install ${tested}, which was tested.`,
  };
}
