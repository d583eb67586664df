import { isAtRest } from '../../agents/remember-turn.ts';
import type { SmallWindow, Verdict } from '../../agents/status.ts';
import { takesPaste } from '../../agents/takes-paste.ts';
import type { Screen } from '../provider.ts';
import { createSight, holds, type Sight } from './conditions.ts';
import { readQuestion } from './read-question.ts';
import type { ComposerRule, Detector, StatusRule } from './rules.ts';
import { isInRange, parseVersion, parseVersionRange } from './version-range.ts';

/** What one rendered screen means. Pure; what no rule knows is `unknown`. */
export function detect(detector: Detector, screen: Screen, version?: string): Verdict {
  const sight = createSight(screen, detector.regions);
  const known = version !== undefined && parseVersion(version).length > 0;
  const effective = known ? version : detector.tested;
  const rule = findRule(detector.rules, sight, effective);
  const { is: seen, mode, noPaste } = findRule(detector.composer, sight, effective) ?? unseen;
  // What these rules were not written for may look empty and not be; and nothing may be pasted
  // there then.
  const range = parseVersionRange(detector.versions);
  const isTested = !known || range === undefined || isInRange(range, version);
  // While it works or asks, its composer may be covered in a window of any size.
  const isSeen = seen !== 'unknown' || noPaste !== undefined;
  const isRead = rule !== undefined && (isSeen || !isAtRest(rule.status));
  const tooSmall = isRead ? undefined : findSmall(detector, screen);
  const isStrange = takesPaste(seen) && !isTested;
  const composer = isStrange ? 'unknown' : seen;
  const isWaiting = rule?.status === 'waiting';
  // A dialog passes, and what is behind it shows afterwards.
  const lasting = isWaiting ? undefined : isStrange ? 'untested-version' : noPaste;
  // Settings, models and their like are a person's own doing, and ask nothing.
  const asks = isWaiting && rule.detail !== 'dialog';
  const question = asks ? readQuestion(screen.lines) : undefined;
  return {
    status: rule?.status ?? 'unknown',
    ...(rule?.detail === undefined ? {} : { detail: rule.detail }),
    ...(question === undefined ? {} : { question }),
    // Nothing is ever pasted into a dialog, however empty the composer behind it looks.
    composer: isWaiting ? 'hidden' : composer,
    ...(mode === undefined ? {} : { mode }),
    ...(lasting === undefined ? {} : { noPaste: lasting }),
    ...(rule?.beside === undefined ? {} : { beside: rule.beside }),
    rule: rule?.name ?? 'none',
    ...(detector.rules.length === 0 ? { isBlind: true } : {}),
    ...(tooSmall === undefined ? {} : { tooSmall }),
  };
}

function findSmall({ smallest }: Detector, { size }: Screen): SmallWindow | undefined {
  if (!smallest || !size) return undefined;
  const isSmall = size.columns < smallest.columns || size.rows < smallest.rows;
  return isSmall ? { has: size, needs: smallest } : undefined;
}

const unseen: Pick<ComposerRule, 'is' | 'mode' | 'noPaste'> = { is: 'unknown' };

function findRule<Rule extends StatusRule | ComposerRule>(
  rules: readonly Rule[],
  sight: Sight,
  version: string,
): Rule | undefined {
  return rules.find(
    (rule) =>
      (rule.versions === undefined || isInRange(rule.versions, version)) &&
      rule.when.every((condition) => holds(condition, sight) === true) &&
      rule.unless.every((condition) => holds(condition, sight) === false),
  );
}
