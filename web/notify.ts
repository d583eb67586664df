import { callName } from '../src/agents/reference.ts';
import type { AttentionDocument } from '../src/protocol/printed.ts';
import { reveal } from '../src/shared/reveal.ts';

type Item = AttentionDocument['items'][number];

const told = new Set<string>();
let isFirst = true;

/** Once for each cause, while nobody looks at the page, where the person has allowed it. */
export function notify(items: readonly Item[]): void {
  for (const item of items) {
    const name = nameOf(item);
    if (told.has(name)) continue;
    told.add(name);
    // What was there when the page was opened is on the screen.
    if (isFirst || !document.hidden || !mayNotify()) continue;
    new Notification(titleOf(item), { body: reveal(item.text).slice(0, 200), tag: name });
  }
  isFirst = false;
}

function mayNotify(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission === 'granted';
}

function nameOf({ kind, agent, since }: Item): string {
  return `${kind} ${agent?.id ?? ''} ${since}`;
}

function titleOf({ kind, agent }: Item): string {
  const who = agent ? callName(agent) : 'signalbox';
  return kind === 'question' ? `${who} waits for you` : `${who}: ${kind.replaceAll('-', ' ')}`;
}
