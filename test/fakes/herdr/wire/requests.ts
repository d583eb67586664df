import type { Profile } from '../profile.ts';
import type { Json } from './json.ts';
import { methodsOf } from './request-shapes.ts';
import { findWrong, isObject } from './rules.ts';

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

/**
 * Strict about what is known (`id` a string, `params` present, each type), and blind to what is
 * not.
 */
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
