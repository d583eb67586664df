import { Fault } from './fault.ts';
import { compilePattern } from './pattern.ts';

/**
 * Reads the values of a file that a person wrote and another library parsed. A wrong value is a
 * Fault that names the file and the place in it. Unknown keys are refused, because most of them are
 * typos.
 */
export interface ValueReader {
  readonly file: string;
  map(value: unknown, place: string, keys?: readonly string[]): Readonly<Record<string, unknown>>;
  list(value: unknown, place: string, most: number): readonly unknown[];
  text(value: unknown, place: string, form?: RegExp): string;
  count(value: unknown, place: string, range: readonly [min: number, max: number]): number;
  choice<T extends string>(value: unknown, place: string, choices: readonly T[]): T;
  pattern(value: unknown, place: string): RegExp;
  /** Throws. */
  refuse(place: string, why: string): never;
}

export function createValueReader(file: string, next: string): ValueReader {
  const refuse = (place: string, why: string): never => {
    throw new Fault('config-invalid', `${file}${place && `, ${place}`}: ${why}.`, next);
  };
  const text = (value: unknown, place: string, form?: RegExp): string => {
    if (typeof value !== 'string') return refuse(place, 'a text is needed (in quotes)');
    if (form && !form.test(value)) return refuse(place, `${quote(value)} cannot stand here`);
    return value;
  };
  return {
    file,
    refuse,
    text,
    map: (value, place, keys) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return refuse(place, 'a list of `name: value` lines is needed');
      }
      const unknown = keys && Object.keys(value).find((key) => !keys.includes(key));
      if (unknown === undefined) return value as Record<string, unknown>;
      return refuse(place, `there is no ${quote(unknown)}; known are ${keys?.join(', ')}`);
    },
    list: (value, place, most) => {
      if (!Array.isArray(value)) return refuse(place, 'a list is needed');
      return value.length > most ? refuse(place, `more than ${most} entries`) : value;
    },
    count: (value, place, [min, max]) => {
      const isCount = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
      return isCount
        ? Number(value)
        : refuse(place, `a whole number from ${min} to ${max} is needed`);
    },
    choice: (value, place, choices) => {
      const chosen = choices.find((choice) => choice === value);
      return chosen ?? refuse(place, `${quote(value)} is none of ${choices.join(', ')}`);
    },
    pattern: (value, place) => {
      const source = text(value, place);
      const compiled = compilePattern(source);
      if ('pattern' in compiled) return compiled.pattern;
      return refuse(place, `the pattern ${quote(source)} is refused: ${compiled.refused}`);
    },
  };
}

function quote(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 60);
}
