import { requirePerson } from '../fleet/permissions.ts';
import type { Live, LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { PageFeed, type PageReader } from './parts/page-feed.ts';

/** One for all who watch: what it shows is the same for each of them. */
const feeds = new WeakMap<Live, PageFeed>();

/**
 * What is new behind that number, from now on, whoever wrote it. It begins with all agents and what
 * needs a person, since statuses are kept nowhere.
 */
export const followPage = defineRequest(
  async (
    context: LiveContext,
    caller,
    { after }: { readonly after: number },
  ): Promise<PageReader> => {
    requirePerson(caller, 'follow the dashboard');
    const feed = feeds.get(context.live) ?? new PageFeed(context, caller);
    feeds.set(context.live, feed);
    return feed.follow(after);
  },
);
