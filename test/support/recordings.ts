import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One case of a lab run: what was found at its end about each mark, and all files of its
 * conversations.
 */
interface Recording {
  readonly name: string;
  readonly marks: Readonly<Record<string, { readonly found: string; readonly model: string }>>;
  /** The lines of each file, as the CLI wrote them but for long texts. */
  readonly files: readonly (readonly Buffer[])[];
}

/** What `test/lab/evidence` stored: the first line of each file is its own, and names the case. */
export function readRecordings(folder: string): readonly Recording[] {
  const cases = new Map<string, Recording>();
  for (const name of readdirSync(folder).toSorted()) {
    const [first = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
    const head = JSON.parse(first) as { case: string; marks: Recording['marks'] };
    const known = cases.get(head.case);
    const files = [...(known?.files ?? []), lines.map((line) => Buffer.from(line))];
    cases.set(head.case, { name: head.case, marks: head.marks, files });
  }
  return [...cases.values()];
}
