import { reportBug } from '../shared/report-bug.ts';

/**
 * What was found of a conversation. `empty`: its file is there, and nothing in it can be resumed.
 * `missing`: every place where the CLI could have written was read without an error, and there is
 * no trace of it. `unknown`: it could not be looked for.
 */
export type Saved = 'saved' | 'empty' | 'missing' | 'unknown';

/** An error while looking is no answer (rule 41). */
export async function unlessUnreadable(look: () => Promise<Saved>): Promise<Saved> {
  try {
    return await look();
  } catch (error) {
    reportBug('looking for a saved conversation', error);
    return 'unknown';
  }
}
