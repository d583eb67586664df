import type { z } from '@hono/zod-openapi';
import { findMeaning } from '../../src/protocol/schemas/meaning.ts';
import { time } from '../../src/protocol/schemas/values.ts';

/** One line of a table of fields. */
export interface FieldRow {
  /** `inbox.queued`, `owes[].task`, `providers.<name>.path`. */
  readonly field: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly meaning: string;
}

/** Shapes with a section of their own: a field names them and does not repeat them. */
export type NamedShapes = ReadonlyMap<z.ZodType, string>;

/** The parts of a schema that this file asks for, as zod 4 has them. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly options?: readonly z.ZodType[];
}

/** Every field of a document. A field that no schema gives a meaning throws. */
export function listFields(document: z.ZodType, names: NamedShapes, prefix = ''): FieldRow[] {
  const { schema } = unwrap(document);
  const { type, element, valueType, shape = {} } = define(schema);
  if (prefix !== '' && findName(schema, names) !== undefined) return [];
  if (type === 'array' && element) return listFields(element, names, `${prefix}[]`);
  if (type === 'record' && valueType) return listFields(valueType, names, `${prefix}.<name>`);
  const base = findBase(shape, names);
  const own = Object.entries(shape).filter(([key]) => !base?.keys.includes(key));
  const inherited = base && {
    field: join(prefix, '…'),
    type: link(base.name),
    isOptional: false,
    meaning: `All fields of ${link(base.name)}.`,
  };
  const rows = own.flatMap(([key, field]) => {
    const path = join(prefix, key);
    return [describeField(path, field, names), ...listFields(field, names, path)];
  });
  return inherited ? [inherited, ...rows] : rows;
}

function join(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`;
}

function describeField(field: string, given: z.ZodType, names: NamedShapes): FieldRow {
  const { isOptional, meaning } = unwrap(given);
  if (meaning === undefined) throw new Error(`no schema says what ${field} means`);
  return { field, type: nameType(given, names), isOptional, meaning };
}

function nameType(given: z.ZodType, names: NamedShapes): string {
  const { schema, isNullable } = unwrap(given);
  const name = findName(schema, names);
  const type = name === undefined ? namePlainType(schema, names) : link(name);
  return isNullable ? `${type} or null` : type;
}

function namePlainType(schema: z.ZodType, names: NamedShapes): string {
  const { type, element, valueType, entries, values, options } = define(schema);
  if (isFrom(schema, time)) return 'time';
  if (entries) return Object.values(entries).map(quote).join(', ');
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (options) return options.map((option) => nameType(option, names)).join(' or ');
  if (element) return `list of ${nameType(element, names)}`;
  if (valueType) return `map of ${nameType(valueType, names)}`;
  return type === 'unknown' ? 'any' : type;
}

function quote(word: string): string {
  return `\`${word}\``;
}

export function link(name: string): string {
  return `[${name}](#${name.toLowerCase().replaceAll(' ', '-')})`;
}

/** A named shape whose fields are all among these, and which has fewer. */
function findBase(shape: Definition['shape'] & object, names: NamedShapes) {
  for (const [schema, name] of names) {
    const inner = define(schema).shape;
    const keys = Object.keys(inner ?? {});
    const isBase = keys.length > 0 && keys.length < Object.keys(shape).length;
    if (isBase && keys.every((key) => shape[key] === inner?.[key])) return { name, keys };
  }
  return undefined;
}

function findName(schema: z.ZodType, names: NamedShapes): string | undefined {
  return [...names].find(([shape]) => isFrom(schema, shape))?.[1];
}

/** `describe` and `named` copy a schema; the copy knows its origin. */
function isFrom(schema: z.ZodType, origin: z.ZodType): boolean {
  for (let at: unknown = schema; at !== undefined; at = (at as z.ZodType)._zod.parent) {
    if (at === origin) return true;
  }
  return false;
}

function unwrap(given: z.ZodType) {
  let schema = given;
  let meaning = findMeaning(schema);
  let isOptional = false;
  let isNullable = false;
  for (;;) {
    const { type, innerType } = define(schema);
    if (!innerType) return { schema, meaning, isOptional, isNullable };
    isOptional ||= type === 'optional';
    isNullable ||= type === 'nullable';
    schema = innerType;
    meaning ??= findMeaning(schema);
  }
}

function define(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}
