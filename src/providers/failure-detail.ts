/**
 * Enough to tell one failure from another in a line of `ls`; an API's own text may be a megabyte
 * (O5).
 */
const maxLength = 200;

/** What a failed turn's status says: one short line, whatever the CLI told. */
export function describeFailure(...told: readonly (string | undefined)[]): string {
  const text = told.filter((words) => words !== undefined).join(': ');
  return text.replace(/\s+/g, ' ').slice(0, maxLength) || 'the turn failed';
}
