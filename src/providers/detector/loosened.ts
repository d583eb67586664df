import { takesPaste } from '../../agents/takes-paste.ts';
import type { RuleFile } from './parse-file.ts';
import type { ComposerRule, Detector, StatusRule } from './rules.ts';

/**
 * What a user's file makes less careful than the rules it lies over, by name, with the end of a
 * sentence that says how. Dialogs are found by `waiting` rules, and a paste is held back by every
 * rule of the composer that says neither `empty` nor `blank`: those are the guards. A file may add
 * to them; to take from them it must name each under `loosens`, so that a typo cannot do it.
 */
export function findLoosened(
  base: Detector,
  over: RuleFile,
  laid: Detector,
): ReadonlyMap<string, string> {
  const loosened = new Map<string, string>();
  findIn(base.rules, over.rules, laid.rules, isDialog, 'dialog rule');
  findIn(base.composer, over.composer, laid.composer, isHeld, 'composer rule');
  for (const name of over.regions.keys()) {
    if (base.regions.has(name)) loosened.set(name, `changes the region ${name}, where rules look`);
  }
  return loosened;

  function findIn<Rule extends StatusRule | ComposerRule>(
    ours: readonly Rule[],
    theirs: readonly { readonly rule: Rule }[],
    all: readonly Rule[],
    isGuard: (rule: Rule) => boolean,
    kind: string,
  ): void {
    const last = ours.findLastIndex((rule) => !isGuard(rule));
    ours.forEach((rule, i) => {
      // A guard behind all others guards nothing; but a dialog is waited for wherever it stands.
      if (!isGuard(rule) || (kind !== 'dialog rule' && i > last)) return;
      if (over.disable.includes(rule.name)) {
        loosened.set(rule.name, `switches off the ${kind} ${rule.name}`);
      } else if (theirs.some((one) => one.rule.name === rule.name)) {
        loosened.set(rule.name, `replaces the ${kind} ${rule.name}`);
      }
    });
    const first = ours.findIndex((rule) => !isGuard(rule));
    const front = ours.slice(0, first < 0 ? ours.length : first);
    for (const { rule } of theirs) {
      if (isGuard(rule) || loosened.has(rule.name)) continue;
      const behind = all.slice(all.indexOf(rule) + 1);
      const passed = front.find((guard) => behind.includes(guard));
      if (passed) loosened.set(rule.name, `puts ${rule.name} before the ${kind} ${passed.name}`);
    }
  }
}

function isDialog(rule: StatusRule): boolean {
  return rule.status === 'waiting';
}

function isHeld(rule: ComposerRule): boolean {
  return !takesPaste(rule.is);
}

/** Refuses what the file does not name, and names of what it does not loosen: those are typos. */
export function requireNamed(
  loosened: ReadonlyMap<string, string>,
  named: readonly string[],
  refuse: (place: string, why: string) => never,
): void {
  for (const [name, why] of loosened) {
    if (named.includes(name)) continue;
    refuse('', `it ${why}; add ${name} to \`loosens\` if you mean that`);
  }
  const idle = named.find((name) => !loosened.has(name));
  if (idle !== undefined) refuse('loosens', `the file does not loosen ${JSON.stringify(idle)}`);
}
