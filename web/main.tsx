import { render } from 'preact';
import { Api } from './api.ts';
import { App } from './app.tsx';
import { Refused } from './fault.ts';
import { followFeed } from './feed.ts';
import { Session, Stranger } from './session.ts';
import { SignedOut } from './signed-out.tsx';
import { Store } from './store.ts';
import './style/base.css';
import './style/parts.css';
import './style/list.css';
import './style/fleet.css';
import './style/line.css';
import './style/agent.css';
import './style/screen.css';
import './style/compose.css';
import './style/narrow.css';

/** The link is in the fragment, which no server sees, and does not stay in the address. */
function takeLink(): string | undefined {
  const [, link] = /^#link=(.+)$/.exec(location.hash) ?? [];
  if (link !== undefined) history.replaceState(null, '', `${location.pathname}#/fleet`);
  return link;
}

async function openSession(): Promise<Session | undefined> {
  const link = takeLink();
  return link === undefined ? Session.restore() : Session.signIn(link);
}

async function start(): Promise<void> {
  const session = await openSession();
  if (!session) return show(<SignedOut why="none" />);
  const api = new Api(session);
  const store = new Store();
  const over = new AbortController();
  api.onOver = () => {
    over.abort();
    Session.forget();
    store.change({ connection: { kind: 'over' } });
  };
  show(<App api={api} store={store} />);
  await followFeed(api, store, over.signal);
  if (store.state.connection.kind === 'over') Session.forget();
}

function show(what: preact.ComponentChild): void {
  render(what, document.body);
}

start().catch((error: unknown) => {
  if (error instanceof Stranger) show(<SignedOut why="stranger" />);
  else if (error instanceof Refused) show(<SignedOut why="spent" />);
  else show(<SignedOut why="failed" />);
});
