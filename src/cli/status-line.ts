import { callName } from '../agents/reference.ts';
import type { AttentionDocument } from '../protocol/printed.ts';

type Item = AttentionDocument['items'][number];

/**
 * One line for a status bar: who waits for you, who failed, what is unread. Empty when nothing
 * needs you. tmux reads `#` in it as the beginning of a style, so it is doubled.
 */
export function formatStatusLine(items: readonly Item[]): string {
  const names = (kind: Item['kind']): string =>
    items
      .flatMap((item) => (item.kind === kind && item.agent ? [callName(item.agent)] : []))
      .join(', ');
  const [asking, failed] = [names('question'), names('failed')];
  const mail = items.find(({ kind }) => kind === 'unread')?.text.split(' ')[0];
  const parts = [
    ...(asking === '' ? [] : [`${asking} ${asking.includes(', ') ? 'wait' : 'waits'} for you`]),
    ...(failed === '' ? [] : [`${failed} failed`]),
    ...(mail === undefined ? [] : [`${mail} unread`]),
  ];
  return parts.join(' · ').replaceAll('#', '##');
}
