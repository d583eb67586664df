import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly description: Json;
}

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly type: string | null;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
}

/**
 * An OpenAPI document that requests and answers are held against, by Ajv: nothing of ours decides
 * what is valid. Stricter than the document in one way: a field that it does not describe is wrong.
 */
export class ApiDocument {
  readonly operations: readonly Operation[];
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false });
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    this.#ajv.addFormat('base64', /^[A-Za-z0-9+/]*={0,2}$/);
    const { schemas } = document['components'] as { schemas: Json };
    const open = mapValues(schemas, (schema) => seal(schema, true));
    this.#ajv.addSchema({ $id: 'api', components: { schemas: open } });
    this.operations = listOperations(document);
  }

  find({ method, path }: Pick<Asked, 'method' | 'path'>): Operation | undefined {
    const [plain = ''] = path.split('?');
    const isLike = (pattern: string): boolean =>
      new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain);
    const found = this.operations.filter((one) => one.method === method && isLike(one.path));
    // One that spells the path out goes before one with a parameter in its place.
    return found.toSorted((a, b) => holes(a.path) - holes(b.path))[0];
  }

  /** Why this may not be answered; undefined: it may. */
  findWrongAnswer(asked: Asked, { status, type, body }: Answered): string | undefined {
    const operation = this.find(asked);
    if (!operation) return undefined;
    const place = `${operation.id} answered ${status}`;
    const responses = operation.description['responses'] as Json;
    const response = (responses[status] ?? responses['default']) as Json | undefined;
    if (!response) return `${place}: it is not described`;
    const content = response['content'] as Json | undefined;
    if (!content) return body === '' ? undefined : `${place}: it should have no body`;
    const [media = ''] = (type ?? '').split(';');
    const described = content[media] as Json | undefined;
    if (!described) return `${place} with ${media}: it is not described`;
    if (media === 'text/event-stream') return undefined;
    const key = `${operation.id} ${responses[status] ? status : 'default'} ${media}`;
    return this.#check(key, described['schema'], body, place);
  }

  /** One `data` of a stream. */
  findWrongEvent(asked: Asked, data: unknown): string | undefined {
    const operation = this.find(asked);
    const responses = operation?.description['responses'] as Readonly<Record<string, Json>>;
    const content = responses?.['200']?.['content'] as Readonly<Record<string, Json>>;
    const schema = content?.['text/event-stream']?.['schema'] as { properties: Json } | undefined;
    const { contentSchema } = (schema?.properties['data'] ?? {}) as Json;
    return this.#check(
      `${operation?.id} event`,
      contentSchema,
      data,
      `an event of ${operation?.id}`,
    );
  }

  /** Why this may not be asked; undefined: it may. */
  findWrongRequest(asked: Asked): string | undefined {
    const operation = this.find(asked);
    if (!operation) return 'there is no such operation';
    const { searchParams } = new URL(asked.path, 'http://localhost');
    const values = readPath(operation.path, asked.path);
    const parameters = (operation.description['parameters'] ?? []) as readonly Json[];
    const troubles = parameters.map(({ name, in: place, schema, required }) => {
      const key = `${operation.id} ${place} ${name}`;
      if (place === 'header') return undefined;
      const all = place === 'path' ? [values[String(name)] ?? ''] : searchParams.getAll(`${name}`);
      if (all.length === 0) return required ? `${name} is missing` : undefined;
      return this.#check(key, schema, parse(all, schema as Json), String(name));
    });
    const body = operation.description['requestBody'] as Json | undefined;
    const content = body?.['content'] as Readonly<Record<string, Json>> | undefined;
    if (asked.body !== undefined || body?.['required'] === true) {
      const schema = content?.['application/json']?.['schema'];
      troubles.push(this.#check(`${operation.id} body`, schema, asked.body, 'body'));
    }
    return troubles.find((trouble) => trouble !== undefined);
  }

  #check(key: string, schema: unknown, value: unknown, place: string): string | undefined {
    let check = this.#checks.get(key);
    if (!check) {
      check = this.#ajv.compile({ ...inApi(schema) });
      this.#checks.set(key, check);
    }
    if (check(value)) return undefined;
    return `${place}: ${this.#ajv.errorsText(check.errors)} in ${JSON.stringify(value)?.slice(0, 2000)}`;
  }
}

function listOperations(document: Json): readonly Operation[] {
  const paths = Object.entries(document['paths'] as Readonly<Record<string, Json>>);
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Json>>).map(([method, description]) => ({
      id: String(description['operationId']),
      method: method.toUpperCase(),
      path,
      description,
    })),
  );
}

function holes(path: string): number {
  return path.split('{').length;
}

function readPath(pattern: string, path: string): Readonly<Record<string, string>> {
  const source = pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const groups = new RegExp(`^${source}$`).exec(path.split('?')[0] ?? '')?.groups ?? {};
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}

function parse(values: readonly string[], schema: Json): unknown {
  if (schema['type'] === 'array') return values;
  const [only = ''] = values;
  if (values.length > 1) return values;
  return schema['type'] === 'integer' && /^-?\d+$/.test(only) ? Number(only) : only;
}

/** A schema on its own: its references lead into the document. */
function inApi(schema: unknown): Json {
  const text = JSON.stringify(seal(schema ?? false));
  return JSON.parse(text.replaceAll('"#/components', '"api#/components')) as Json;
}

/**
 * Closes every object where a schema uses it. Of an `allOf` the whole is closed and not its parts;
 * a component stays open, and is closed where something refers to it.
 */
function seal(schema: unknown, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => seal(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const sealed = Object.entries(schema).map(([key, value]) => {
    if (key === 'properties') return [key, mapValues(value, (one) => seal(one))];
    if (key === 'allOf') return [key, (value as readonly unknown[]).map((one) => seal(one, true))];
    return [key, seal(value)];
  });
  const describesFields = ['$ref', 'properties', 'allOf'].some((key) => key in schema);
  const isOpen = isPart || !describesFields || 'additionalProperties' in schema;
  return Object.fromEntries([...sealed, ...(isOpen ? [] : [['unevaluatedProperties', false]])]);
}

function mapValues(map: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
