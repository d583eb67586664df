/**
 * Every mark of ours that stands in a text. They are unguessable, so one that is there was put
 * there by us (rule 7).
 */
export function findMarks(text: string): readonly string[] {
  return text.includes(prefix) ? [...new Set(text.match(pattern) ?? [])] : [];
}

const prefix = 'mark_';
/** As a claim makes them: an id, and a secret after it. */
const pattern = /mark_\w{20,}/g;
