import type { Json } from './json.ts';

type TypeName =
  | 'string'
  | 'boolean'
  | 'number'
  | 'strings'
  | 'list'
  | 'map'
  | 'map of strings'
  | 'unsigned integer';

/** A type, a set of words, a nested map, or a check that says what is wrong. */
type Rule = TypeName | readonly string[] | Rules | ((value: unknown) => string | undefined);
/** A name that ends in `?` may be missing. */
export interface Rules {
  readonly [name: string]: Rule;
}

/** The first thing that is wrong, in the words of herdr's decoder. */
export function findWrong(params: Json, rules: Rules): string | undefined {
  for (const [key, rule] of Object.entries(rules)) {
    const name = key.replace(/\?$/, '');
    const value = params[name];
    const isMissing = value === undefined || (value === null && key.endsWith('?'));
    if (isMissing && key.endsWith('?')) continue;
    if (isMissing) return `missing field \`${name}\``;
    const wrong = checkValue(name, value, rule);
    if (wrong) return wrong;
  }
  return undefined;
}

function checkValue(name: string, value: unknown, rule: Rule): string | undefined {
  if (typeof rule === 'function') return rule(value);
  if (Array.isArray(rule)) {
    if (rule.some((word) => word === value)) return undefined;
    const known = rule.map((word) => `\`${word}\``).join(', ');
    return `unknown variant \`${String(value)}\`, expected one of ${known}`;
  }
  if (typeof rule === 'object') {
    if (!isObject(value)) return `invalid type for \`${name}\`: expected a map`;
    return findWrong(value, rule as Rules);
  }
  return isOfType(value, rule) ? undefined : `invalid type for \`${name}\`: expected ${rule}`;
}

function isOfType(value: unknown, type: string): boolean {
  const isStrings = (values: readonly unknown[]) =>
    values.every((item) => typeof item === 'string');
  if (type === 'strings') return Array.isArray(value) && isStrings(value);
  if (type === 'map of strings') return isObject(value) && isStrings(Object.values(value));
  if (type === 'map') return isObject(value);
  if (type === 'unsigned integer') return Number.isInteger(value) && Number(value) >= 0;
  if (type === 'list') return Array.isArray(value);
  return typeof value === type;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
