import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { viewAttention } from '../src/views/attention-page.ts';
import { AgentView } from './agent-view.tsx';
import type { Api } from './api.ts';
import { AttentionView } from './attention-view.tsx';
import { useNow } from './clock.ts';
import { ComposeView } from './compose-view.tsx';
import { FleetView } from './fleet-view.tsx';
import { Header } from './header.tsx';
import { HealthView } from './health-view.tsx';
import { KeysHelp } from './keys-help.tsx';
import { LineView } from './line-view.tsx';
import { notify } from './notify.ts';
import { PageContext } from './page.ts';
import { go, goBack, type Route, useRoute, views } from './route.ts';
import { SignedOut } from './signed-out.tsx';
import { type Store, useStore } from './store.ts';
import { StoryPanel } from './story-panel.tsx';

interface AppProps {
  readonly api: Api;
  readonly store: Store;
}

export function App({ api, store }: AppProps): JSX.Element {
  const { connection, world } = useStore(store);
  const route = useRoute();
  const now = useNow(5);
  const [isHelping, setHelping] = useState(false);
  const attention = useMemo(() => world && viewAttention(world, now), [world, now]);
  const count = attention?.count ?? 0;
  useKeys(route, () => setHelping(true));
  useEffect(() => {
    document.title = count > 0 ? `(${count}) signalbox` : 'signalbox';
  }, [count]);
  useEffect(() => {
    if (world) notify(world.attention);
  }, [world]);
  if (connection.kind === 'over') return <SignedOut why="over" />;
  if (!world) {
    return (
      <>
        <Header route={route} connection={connection} count={0} isReadOnly={false} />
        <main class="view" aria-label="Connecting">
          <p class="empty">Connecting to the daemon…</p>
        </main>
      </>
    );
  }
  const isLocked = world.readOnly || connection.kind !== 'live';
  return (
    <PageContext.Provider value={{ api, world, isLocked }}>
      <Header route={route} connection={connection} count={count} isReadOnly={world.readOnly} />
      <div class={route.message ? 'stage with-story' : 'stage'}>
        <CurrentView route={route} />
        {route.message && <StoryPanel key={route.message} route={route} />}
      </div>
      {isHelping && <KeysHelp onClose={() => setHelping(false)} />}
    </PageContext.Provider>
  );
}

function CurrentView({ route }: { readonly route: Route }): JSX.Element {
  switch (route.view) {
    case 'fleet':
      return <FleetView />;
    case 'line':
      return <LineView route={route} />;
    case 'attention':
      return <AttentionView route={route} />;
    case 'compose':
      return <ComposeView key={route.agent ?? ''} route={route} />;
    case 'health':
      return <HealthView />;
    case 'agent':
      return <AgentView key={route.agent ?? ''} route={route} />;
  }
}

/** Keys of the page; whoever writes somewhere keeps them. */
function useKeys(route: Route, onHelp: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const at = event.target as HTMLElement;
      if (event.key === 'Escape' && !at.closest('dialog')) {
        if (goBack(route)) event.preventDefault();
        return;
      }
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return;
      const view = views[Number(event.key) - 1];
      if (view) go({ view });
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-filter]')?.focus();
      else if (event.key === '?') onHelp();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [route, onHelp]);
}
