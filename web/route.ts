import { useEffect, useState } from 'preact/hooks';

export const views = ['fleet', 'line', 'attention', 'compose', 'health'] as const;

type View = (typeof views)[number] | 'agent';

/** What is on the screen, as the fragment of the address has it: `#/agent/agt_1~msg_2`. */
export interface Route {
  readonly view: View;
  /** Of the view `agent`, and of others the agent that they are about. */
  readonly agent?: string | undefined;
  /** Whose story stands beside it. */
  readonly message?: string | undefined;
}

function readRoute(fragment: string): Route {
  const [, view = '', agent, message] = form.exec(fragment) ?? [];
  const isKnown = (views as readonly string[]).includes(view) || (view === 'agent' && agent);
  return isKnown ? { view: view as View, agent, message } : { view: 'fleet' };
}

const form = /^#\/([a-z]+)(?:\/(agt_\w+))?(?:~(msg_\w+))?$/;

export function writeRoute({ view, agent, message }: Route): string {
  return `#/${view}${agent ? `/${agent}` : ''}${message ? `~${message}` : ''}`;
}

export function go(route: Route): void {
  location.hash = writeRoute(route);
}

/** Out of the story, then out of the agent. */
export function goBack(route: Route): boolean {
  if (route.message) go({ ...route, message: undefined });
  else if (route.view === 'agent') go({ view: 'fleet' });
  else if (route.agent) go({ view: route.view });
  else return false;
  return true;
}

export function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setFragment(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return readRoute(fragment);
}
