import type { Profile } from '../profile.ts';
import type { Json } from './json.ts';
import { methodsOf, type Rule, type Rules } from './request-shapes.ts';

export interface Request {
  readonly id: string;
  readonly method: string;
  readonly params: Json;
}

/** Something that herdr's decoder refuses; its message names the first thing that is wrong. */
export class Undecodable extends Error {
  /** Only a fake that has left the habit of empty ids answers with it. */
  readonly id: string;

  constructor(id: string, message: string) {
    super(message);
    this.id = id;
  }
}

/** Strict about what is known (`id` a string, `params` present, each type), and blind to what is not. */
export function decodeRequest(line: string, profile: Profile): Request {
  let id = '';
  const fail = (message: string): never => {
    throw new Undecodable(id, message);
  };
  const request = parse(line) ?? fail('expected a JSON object');
  if (typeof request['id'] === 'string') id = request['id'];
  else
    fail(
      request['id'] === undefined
        ? 'missing field `id`'
        : 'invalid type for `id`: expected a string',
    );
  const { method, params } = request;
  if (typeof method !== 'string') return fail('missing field `method`');
  const methods = methodsOf(profile);
  const rules = methods[method];
  if (!rules) {
    const known = Object.keys(methods).map((name) => `\`${name}\``);
    return fail(`unknown variant \`${method}\`, expected one of ${known.join(', ')}`);
  }
  if (params === undefined) return fail('missing field `params`');
  if (!isObject(params)) return fail('invalid type: expected params to be a map');
  const wrong = findWrong(params, rules);
  if (wrong) fail(wrong);
  return { id, method, params };
}

function parse(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

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
