import { neutralise } from './neutralise.ts';

/** Neutralises every text in a document, at any depth (rule 47). */
export function neutraliseDocument<T>(document: T): T {
  return neutraliseAny(document) as T;
}

function neutraliseAny(value: unknown): unknown {
  if (typeof value === 'string') return neutralise(value);
  if (Array.isArray(value)) return value.map(neutraliseAny);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, neutraliseAny(one)]));
}
