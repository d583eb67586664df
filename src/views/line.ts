import { callName } from '../agents/reference.ts';
import type { PageMessage } from '../protocol/page.ts';
import { type Faring, judgeMessage } from './judge-message.ts';
import { type Mark, stateMark } from './marks.ts';
import type { World } from './world.ts';

export interface LineFilter {
  /** Words in the names of sender and recipient, the short id, the kind, the state or the text. */
  readonly text: string;
  readonly show: 'all' | 'open' | 'stuck';
  /** Sent by it or to it. */
  readonly agent?: string | undefined;
}

export const showAll: LineFilter = { text: '', show: 'all' };

export interface MessageRow {
  readonly id: string;
  readonly short: string;
  readonly kind: PageMessage['kind'];
  readonly from: string;
  readonly to: string;
  readonly fromId: string;
  readonly toId: string;
  readonly state: PageMessage['state'];
  readonly faring: Faring;
  readonly mark: Mark;
  readonly createdAt: string;
  readonly changedAt: string;
  /** Words of others, already shown for what they are. */
  readonly first: string;
  /** Why it waits or is dead, and what else is special about it. */
  readonly notes: readonly string[];
}

/** Those that are stuck or lost come first; in each part the newest. */
export function viewLine(world: World, filter: LineFilter, now: number): readonly MessageRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: MessageRow[] = [];
  for (const message of world.messages.values()) {
    if (!concerns(message, filter.agent)) continue;
    const faring = judgeMessage(message, now, world.user);
    if (!shows(filter.show, faring)) continue;
    if (words.length > 0 && !says(message, words)) continue;
    rows.push(rowOf(message, faring));
  }
  return rows.sort(
    (a, b) =>
      Number(isTrouble(b.faring)) - Number(isTrouble(a.faring)) ||
      (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? 1 : -1),
  );
}

export function isTrouble(faring: Faring): boolean {
  return faring === 'stuck' || faring === 'lost';
}

/** How many are in each part of the filter. */
export function countLine(world: World, now: number): Readonly<Record<LineFilter['show'], number>> {
  const counts = { all: 0, open: 0, stuck: 0 };
  for (const message of world.messages.values()) {
    const faring = judgeMessage(message, now, world.user);
    for (const show of ['all', 'open', 'stuck'] as const) {
      if (shows(show, faring)) counts[show]++;
    }
  }
  return counts;
}

function concerns({ from, to }: PageMessage, agent: string | undefined): boolean {
  return agent === undefined || from.id === agent || to.id === agent;
}

function shows(show: LineFilter['show'], faring: Faring): boolean {
  return show === 'all' || isTrouble(faring) || (show === 'open' && faring !== 'done');
}

function says({ from, to, short, kind, state, first, id }: PageMessage, words: readonly string[]) {
  const names = `${from.session ?? ''}/${from.name} ${to.session ?? ''}/${to.name}`;
  const text = `${names} ${short} ${id} ${kind} ${state} ${first}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function rowOf(message: PageMessage, faring: Faring): MessageRow {
  const { id, short, kind, from, to, state, createdAt, changedAt, first } = message;
  return {
    ...{ id, short, kind, state, faring, createdAt, changedAt, first },
    ...{ from: callName(from), to: callName(to), fromId: from.id, toId: to.id },
    mark: stateMark(state, faring),
    notes: listNotes(message, faring),
  };
}

function listNotes(message: PageMessage, faring: Faring): readonly string[] {
  const { urgent, task, waitsFor, reason, discarded, state } = message;
  return [
    ...(faring === 'done' || waitsFor === undefined ? [] : [waitsFor]),
    ...(state === 'uncertain' && waitsFor === undefined
      ? ['nobody knows whether it was read']
      : []),
    ...(reason === undefined ? [] : [reason.replaceAll('_', ' ')]),
    ...(discarded ? ['discarded'] : []),
    ...(faring === 'unproven' ? ['sent, unconfirmed'] : []),
    ...(urgent ? ['urgent'] : []),
    ...(task === 'open' && state !== 'dead' ? ['answer owed'] : []),
    ...(task === 'answered' ? ['answered'] : []),
  ];
}
