import type { FeedItem } from '../protocol/page.ts';

/**
 * After each connection the feed names every agent, and then what needs a person. Whom it has not
 * named by then was removed while nobody listened.
 */
export class RollCall {
  #met: Set<string> | undefined;

  begin(): void {
    this.#met = new Set();
  }

  /** The items, and behind the roll call those who are missing from it. */
  take(items: readonly FeedItem[], known: Iterable<string>): readonly FeedItem[] {
    if (!this.#met) return items;
    const told: FeedItem[] = [];
    for (const item of items) {
      told.push(item);
      if (item.kind === 'agent') this.#met?.add(item.agent.id);
      if (item.kind !== 'attention' || !this.#met) continue;
      for (const id of known) {
        if (!this.#met.has(id)) told.push({ kind: 'agent-gone', cursor: item.cursor, id });
      }
      this.#met = undefined;
    }
    return told;
  }
}
