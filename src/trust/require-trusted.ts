import { Fault } from '../shared/fault.ts';
import { shellWord } from '../shared/shell-word.ts';
import type { TrustBook, Verdict } from './book.ts';
import type { WorkingFile } from './working-file.ts';

/** The gate of rule 46: nothing that a working folder contains counts until the user has trusted exactly that content. */
export function requireTrusted(book: Pick<TrustBook, 'judge'>, file: WorkingFile): void {
  const verdict = book.judge(file);
  if (verdict.outcome !== 'trusted') throw notTrusted(file, verdict);
}

function notTrusted(file: WorkingFile, verdict: Verdict): Fault {
  return new Fault(
    'not-trusted',
    `${describePlace(file)} is not trusted: ${explain(verdict)}. Nothing was started.`,
    `Only the user can, at a terminal: ${trustCommand(file.path)} shows what it would change, and asks.`,
  );
}

export function trustCommand(path: string): string {
  return `\`signalbox trust ${shellWord(path)}\``;
}

function describePlace({ path, realPath }: WorkingFile): string {
  return path === realPath ? path : `${path} (a way to ${realPath})`;
}

function explain(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'changed':
      return `it has changed since the user trusted it on ${verdict.record.trustedAt.slice(0, 10)}`;
    case 'damaged':
      return `the record of that (${verdict.path}) is damaged, ${verdict.why}, and so it counts for nothing`;
    default:
      return 'it comes from the working folder, and the user has not looked at it yet';
  }
}
