/**
 * For documents that others write and that may hold anything (transcripts, events, hook payloads): every step down gives
 * something harmless where the shape is not the expected one.
 */
export type Json = Readonly<Record<string, unknown>>;

/** Undefined when it is no JSON, or no object. */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined for an empty one, too. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
