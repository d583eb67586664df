import type { TrustedSource } from '../agents/role.ts';
import { Fault } from '../shared/fault.ts';
import { shellWord } from '../shared/shell-word.ts';
import type { TrustBook, Verdict } from './book.ts';
import type { WorkingFile } from './working-file.ts';

/**
 * The gate of rule 46: nothing that a working folder contains counts until the user has trusted
 * exactly that content. Returns what was trusted, to ask for it again.
 */
export function requireTrusted(book: Pick<TrustBook, 'judge'>, file: WorkingFile): TrustedSource {
  const verdict = book.judge(file);
  if (verdict.outcome !== 'trusted') throw notTrusted(file, verdict);
  return { path: verdict.path, kind: file.kind, sha256: file.sha256 };
}

/**
 * The same gate for an agent that was launched with such a content, and is to be started with it
 * once more. A newer content that the user has trusted since takes nothing back; `trust --revoke`
 * does.
 */
export function requireStillTrusted(
  book: Pick<TrustBook, 'judge'>,
  { path, kind, sha256 }: TrustedSource,
  called: string,
): void {
  const verdict = book.judge({ realPath: path, kind, sha256 });
  if (verdict.outcome === 'trusted') return;
  const isOther = verdict.outcome === 'changed';
  if (isOther && verdict.record.earlier?.includes(sha256)) return;
  const why = isOther
    ? 'you have taken that back, and trusted another content in its place'
    : verdict.outcome === 'damaged'
      ? explain(verdict)
      : 'you have taken that back';
  throw new Fault(
    'not-trusted',
    `It was launched with ${path} as you had trusted it, and ${why}. Nothing was changed.`,
    isOther
      ? `Remove it with \`signalbox rm ${called}\`, and launch another with the profile as it is now.`
      : `Only the user can trust it again, at a terminal: ${trustCommand(path)}.`,
  );
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
