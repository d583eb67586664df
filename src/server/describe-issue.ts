import { bound, quote } from '../shared/quote.ts';

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * What a schema has against an input. Names in it are the sender's: they are bounded, and what they
 * hold is visible.
 */
export function describeIssue(issue: Issue): string {
  const { code, path, message } = issue;
  const keys = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys : [];
  const said =
    code === 'unrecognized_keys'
      ? `Unknown: ${keys
          .slice(0, 3)
          .map((key) => quote(String(key)))
          .join(', ')}`
      : bound(message, 200);
  const place = path.map((step) => bound(String(step), 80)).join('.');
  return place === '' ? said : `${place}: ${said}`;
}
