import type { CaseResult, CertifyRun, ScreenResult } from './run.ts';

export const parts = ['screens', 'records', 'hooks', 'delivery', 'people'] as const;
export type Part = (typeof parts)[number];

/** One difference between two versions, or one thing that holds in neither. */
export interface Difference {
  readonly part: Part;
  readonly name: string;
  /** `worse` alone makes the new version fail. */
  readonly verdict: 'worse' | 'better' | 'changed' | 'in-both';
  readonly what: string;
}

/** What is different in the new version; the pinned one is the measure. */
export function compare(pinned: CertifyRun, fresh: CertifyRun): readonly Difference[] {
  return [
    ...compareScreens(pinned.screens, fresh.screens),
    ...findLostRules(pinned.screens, fresh.screens),
    ...compareHooks(pinned.hooks, fresh.hooks),
    ...compareCases(pinned.cases, fresh.cases),
  ];
}

export function isWorse(differences: readonly Difference[]): boolean {
  return differences.some(({ verdict }) => verdict === 'worse');
}

type Screens = CertifyRun['screens'];

function compareScreens(pinned: Screens, fresh: Screens): readonly Difference[] {
  return union(pinned, fresh).flatMap((name): readonly Difference[] => {
    const [before, after] = [pinned[name], fresh[name]];
    const say = (verdict: Difference['verdict'], what: string): readonly Difference[] => [
      { part: 'screens', name, verdict, what },
    ];
    if (after === undefined) return say('worse', 'it was not tried');
    if (before === undefined) {
      const isBad = after.kind === 'undriven' || !after.isRight;
      return isBad ? say('changed', `${tell(after)}; the pinned version has no recording`) : [];
    }
    if (after.kind === 'undriven') {
      return say(before.kind === 'undriven' ? 'in-both' : 'worse', tell(after));
    }
    if (before.kind === 'undriven') return say('better', tell(after));
    const change = `was ${tell(before)}; is ${tell(after)}`;
    if (after.isDangerous && !before.isDangerous) return say('worse', `DANGEROUS: ${change}`);
    if (before.isRight && !after.isRight) return say('worse', change);
    if (!before.isRight && after.isRight) return say('better', change);
    if (!after.isRight) return say('in-both', tell(after));
    return [];
  });
}

function tell(screen: ScreenResult): string {
  if (screen.kind === 'undriven') return `the lab could not bring it there: ${screen.reason}`;
  return `${screen.says.join(' / ')} (${screen.rules.join(', ')})`;
}

/**
 * Of states that both versions were brought into: those that are not the rule's doing count not.
 */
function findLostRules(pinned: Screens, fresh: Screens): readonly Difference[] {
  const both = Object.keys(pinned).filter((name) => fresh[name]?.kind === 'read');
  const fired = (screens: Screens): ReadonlyMap<string, readonly string[]> => {
    const byRule = new Map<string, readonly string[]>();
    for (const name of both) {
      const screen = screens[name];
      if (screen?.kind !== 'read') continue;
      for (const rule of screen.rules) byRule.set(rule, [...(byRule.get(rule) ?? []), name]);
    }
    return byRule;
  };
  const after = fired(fresh);
  return [...fired(pinned)]
    .filter(([rule]) => rule !== 'none' && !after.has(rule))
    .map(([rule, names]) => ({
      part: 'screens',
      name: `rule ${rule}`,
      verdict: 'changed',
      what: `it no longer matches; it did in ${names.join(', ')}`,
    }));
}

/**
 * Come by the clock, so a run may end before one does: Claude Code 2.1.325 tells 60 s after a stop
 * that it waits.
 */
const byClock: readonly string[] = ['Notification', 'notification'];

function compareHooks(
  pinned: CertifyRun['hooks'],
  fresh: CertifyRun['hooks'],
): readonly Difference[] {
  return union(pinned, fresh).flatMap((name): readonly Difference[] => {
    const [before = 0, after = 0] = [pinned[name], fresh[name]];
    if (before > 0 && after > 0) return [];
    const what = `called ${before} times in the pinned version, ${after} times in this one`;
    if (after > 0) return [{ part: 'hooks', name, verdict: 'better', what }];
    const verdict = byClock.includes(name) ? 'changed' : 'worse';
    return [{ part: 'hooks', name, verdict, what }];
  });
}

function compareCases(
  pinned: CertifyRun['cases'],
  fresh: CertifyRun['cases'],
): readonly Difference[] {
  return union(pinned, fresh).flatMap((name): readonly Difference[] => {
    const [before, after] = [pinned[name], fresh[name]];
    const { part } = after ?? before ?? { part: 'delivery' as const };
    const say = (verdict: Difference['verdict'], what: string): readonly Difference[] => [
      { part, name, verdict, what },
    ];
    if (after === undefined) return say('worse', 'it was not tried');
    if (before === undefined) {
      const what = `${describe(after)}; the pinned version was not tried`;
      return say(after.kind === 'failed' ? 'worse' : 'changed', what);
    }
    if (before.kind === after.kind) {
      if (after.kind === 'failed') return say('in-both', describe(after));
      const isShaky = after.kind === 'passed' && after.tries > before.tries;
      return isShaky ? say('changed', `holds at try ${after.tries}; ${after.reason ?? ''}`) : [];
    }
    if (after.kind === 'passed') return say('better', `holds; before: ${describe(before)}`);
    // A case that a CLI can no longer be asked for is lost as well.
    const isWorse = before.kind === 'passed' || after.kind === 'failed';
    return say(isWorse ? 'worse' : 'changed', describe(after));
  });
}

function describe({ kind, reason = '' }: CaseResult): string {
  const words = { passed: 'holds', failed: 'does not hold', spared: 'cannot be asked for' }[kind];
  return reason === '' ? words : `${words}: ${reason}`;
}

function union(a: object, b: object): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}
