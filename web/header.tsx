import type { JSX } from 'preact';
import { useCallback } from 'preact/hooks';
import { tellClock, tellSpan } from '../src/views/tell-time.ts';
import { useTold } from './clock.ts';
import { type Route, views, writeRoute } from './route.ts';
import type { Connection } from './store.ts';

interface HeaderProps {
  readonly route: Route;
  readonly connection: Connection;
  /** How many things need a person. */
  readonly count: number;
  readonly isReadOnly: boolean;
}

const titles = {
  fleet: 'Fleet',
  line: 'Line',
  attention: 'Attention',
  compose: 'Compose',
  health: 'Health',
} as const;

export function Header({ route, connection, count, isReadOnly }: HeaderProps): JSX.Element {
  return (
    <>
      <header class="head">
        <span class="plate">signalbox</span>
        <nav aria-label="Views">
          {views.map((view) => (
            <a
              key={view}
              href={writeRoute({ view })}
              aria-current={route.view === view ? 'page' : undefined}
            >
              {titles[view]}
              {view === 'attention' && count > 0 && (
                <span class="count">
                  {count}
                  <span class="unseen"> things need you</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <span class="space" />
        {isReadOnly && <span class="tag">read only</span>}
        <span class={`line-state ${connection.kind}`}>
          <span class="lamp" aria-hidden="true" />
          {connection.kind === 'live' ? 'live' : connection.kind}
        </span>
      </header>
      {(connection.kind === 'lost' || connection.kind === 'stranger') && (
        <Trouble connection={connection} />
      )}
    </>
  );
}

type Troubled = Extract<Connection, { kind: 'lost' | 'stranger' }>;

/** What is shown below is as it was then. */
function Trouble({ connection }: { readonly connection: Troubled }): JSX.Element {
  const { kind, since, tryAt } = connection;
  const tell = useCallback(
    (now: number) => (tryAt > now ? `in ${tellSpan(tryAt - now + 999)}` : 'now'),
    [tryAt],
  );
  const again = useTold(tell);
  const what =
    kind === 'stranger'
      ? 'Another program answers at the daemon’s address; it got no key.'
      : 'The daemon does not answer.';
  return (
    <div class="trouble" role="alert">
      {what} This page shows how things stood at {tellClock(new Date(since).toISOString())}.{' '}
      <span aria-live="off">It tries again {again}.</span>
    </div>
  );
}
