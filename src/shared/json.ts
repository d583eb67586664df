/**
 * For documents that others write and that may hold anything (transcripts, events, hook payloads):
 * every step down gives something harmless where the shape is not the expected one.
 */
export type Json = Readonly<Record<string, unknown>>;

/** Undefined when it is no JSON, or no object. */
export function parseObject(text: string): Json | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}

/** Undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A text can fail in no other way than by not being JSON.
    return undefined;
  }
}

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** Neither a list nor null. */
export function isPlainObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined for an empty one, too. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
