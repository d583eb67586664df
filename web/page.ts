import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { World } from '../src/views/world.ts';
import type { Api } from './api.ts';

/** What every part of the page may use. */
export interface Page {
  readonly api: Api;
  readonly world: World;
  /** Nothing may be changed: the session says so, or there is no connection. */
  readonly isLocked: boolean;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('it is drawn within the page');
  return page;
}
