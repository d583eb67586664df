import { createValueReader } from '../../shared/value-reader.ts';
import { mendRuleFile, type Placed, type RuleFile } from './parse-file.ts';
import type { ComposerRule, Condition, Detector, StatusRule } from './rules.ts';

/**
 * A user's file laid over what is there: `disable` switches rules off, a rule with a known name
 * takes that one's place, any other goes before the rule it names, else before the first with the
 * same outcome. So a new spinner stands behind the dialogs without anybody having to think of it.
 */
export function layOver(base: Detector, over: RuleFile): Detector {
  const reader = createValueReader(over.file, mendRuleFile);
  if (over.provider !== undefined && over.provider !== base.provider) {
    reader.refuse('provider', `it is for ${over.provider}, not for ${base.provider}`);
  }
  const names = [...base.rules, ...base.composer].map(({ name }) => name);
  const strange = over.disable.find((name) => !names.includes(name));
  if (strange) reader.refuse('disable', `there is no rule ${JSON.stringify(strange)}`);
  const smallest = over.smallest ?? base.smallest;
  const detector: Detector = {
    provider: base.provider,
    versions: over.versions ?? base.versions,
    tested: over.tested ?? base.tested,
    ...(smallest === undefined ? {} : { smallest }),
    regions: new Map([...base.regions, ...over.regions]),
    rules: place(base.rules, over.rules, (a, b) => a.status === b.status),
    composer: place(base.composer, over.composer, (a, b) => a.is === b.is),
  };
  checkNames(detector, reader.refuse);
  return detector;

  function place<Rule extends StatusRule | ComposerRule>(
    ours: readonly Rule[],
    theirs: readonly Placed<Rule>[],
    isAlike: (a: Rule, b: Rule) => boolean,
  ): readonly Rule[] {
    // What was there before decides where a rule goes: several new ones keep the order they were
    // written in.
    const rules = ours.map((rule) => ({ rule, isOurs: true }));
    for (const { rule, before } of theirs) {
      const same = rules.findIndex((other) => other.isOurs && other.rule.name === rule.name);
      if (same >= 0 && before === undefined) {
        rules[same] = { rule, isOurs: false };
        continue;
      }
      if (same >= 0) rules.splice(same, 1);
      const at = rules.findIndex((other) =>
        before === undefined
          ? other.isOurs && isAlike(other.rule, rule)
          : other.rule.name === before,
      );
      if (at < 0 && before !== undefined) {
        reader.refuse(rule.name, `there is no rule ${JSON.stringify(before)} to stand before`);
      }
      rules.splice(at < 0 ? rules.length : at, 0, { rule, isOurs: false });
    }
    return rules.map(({ rule }) => rule).filter(({ name }) => !over.disable.includes(name));
  }
}

function checkNames(detector: Detector, refuse: (place: string, why: string) => never): void {
  const seen = new Set<string>();
  for (const { name, when, unless } of [...detector.rules, ...detector.composer]) {
    if (seen.has(name)) refuse(name, 'two rules have this name');
    seen.add(name);
    for (const region of [...when, ...unless].map(regionOf)) {
      if (region === undefined || detector.regions.has(region)) continue;
      refuse(name, `there is no region ${JSON.stringify(region)}`);
    }
  }
}

function regionOf(condition: Condition): string | undefined {
  if (condition.kind === 'region') return condition.region;
  return condition.kind === 'rows' ? condition.place.region : undefined;
}
