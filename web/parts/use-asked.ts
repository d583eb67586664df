import { useEffect, useState } from 'preact/hooks';
import { describeFailure, type Words } from '../fault.ts';
import { usePage } from '../page.ts';

export interface Asked<Answer> {
  readonly answer: Answer | undefined;
  readonly fault: Words | undefined;
  readonly isBusy: boolean;
}

/**
 * Something that the page fetches, again whenever `moment` changes, which tells that it may be
 * another answer now. The old one stays on the screen until the new one is there.
 */
export function useAsked<Answer>(path: string | undefined, moment: string): Asked<Answer> {
  const { api } = usePage();
  const [state, setState] = useState<Asked<Answer> & { readonly path: string | undefined }>({
    ...{ path, answer: undefined, fault: undefined, isBusy: path !== undefined },
  });
  // The moment is no part of the request: it says when to ask again.
  useEffect(() => {
    if (path === undefined) return undefined;
    const over = new AbortController();
    setState((old) => ({ ...(old.path === path ? old : empty), path, isBusy: true }));
    api.get<Answer>(path, over.signal).then(
      (answer) => setState({ path, answer, fault: undefined, isBusy: false }),
      (error: unknown) => {
        if (over.signal.aborted) return;
        setState((old) => ({ ...old, fault: describeFailure(error), isBusy: false }));
      },
    );
    return () => over.abort();
  }, [api, path, moment]);
  return state.path === path ? state : { ...empty, isBusy: path !== undefined };
}

const empty = { answer: undefined, fault: undefined };
