import { useEffect, useState } from 'preact/hooks';
import type { World } from '../src/views/world.ts';

/** How the page stands with its daemon. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Wall times: since when, and when it tries again. */
  | { readonly kind: 'lost'; readonly since: number; readonly tryAt: number }
  /** Somebody else answers at our address. */
  | { readonly kind: 'stranger'; readonly since: number; readonly tryAt: number }
  /** The session is over: only another link helps. */
  | { readonly kind: 'over' };

export interface PageState {
  readonly connection: Connection;
  readonly world: World | undefined;
}

/** What the page knows. Whoever shows it is told at most once per frame. */
export class Store {
  #state: PageState = { connection: { kind: 'connecting' }, world: undefined };
  readonly #listeners = new Set<() => void>();
  #isDue = false;

  get state(): PageState {
    return this.#state;
  }

  change(more: Partial<PageState>): void {
    this.#state = { ...this.#state, ...more };
    if (this.#isDue) return;
    this.#isDue = true;
    onFrame(() => {
      this.#isDue = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function useStore(store: Store): PageState {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.listen(() => setState(store.state));
  }, [store]);
  return state;
}

/** A page that nobody sees has no frames, and still tells its title how many need a person. */
export function onFrame(act: () => void): void {
  if (document.hidden) setTimeout(act, 250);
  else requestAnimationFrame(act);
}
