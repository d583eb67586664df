/**
 * Where the daemon writes what happened. Facts first, then one sentence; secrets are taken out
 * before anything is written.
 */
export interface Log {
  debug(facts: object, text: string): void;
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** An error as facts, with where it happened. */
export function errorFacts(error: unknown): { readonly error: string; readonly stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}
