import type { JSX } from 'preact';

const reasons = {
  none: 'This tab has no session.',
  spent: 'This link was used before, or is older than a minute.',
  over: 'This session is over.',
  stranger:
    'Another program answers at this address. It does not know this session, and got no key.',
  failed: 'The daemon did not answer.',
} as const;

/** What to do when the page may show nothing. */
export function SignedOut({ why }: { readonly why: keyof typeof reasons }): JSX.Element {
  return (
    <main class="signed-out" aria-label="signalbox">
      <h1 class="plate">signalbox</h1>
      <p>{reasons[why]}</p>
      <p>
        Run <code>signalbox dashboard</code> in a terminal, and open the link that it prints.
      </p>
    </main>
  );
}
