import { findMatch, readPane } from '../methods/read-pane.ts';
import { statusOf } from '../model/hosted-agent.ts';
import { needPane } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { ApiError } from '../wire/api-error.ts';
import { type Peer, pollMs } from '../wire/connections.ts';
import { type Json, sorted } from '../wire/json.ts';
import { subscriptionKinds, textOf } from '../wire/request-shapes.ts';
import { type Request, Undecodable } from '../wire/requests.ts';
import { findWrong, isObject } from '../wire/rules.ts';

/** One entry of a subscription's list, with its own place in the history. */
interface Entry {
  /** At most one line, if there is something to tell. */
  next(): Promise<Line | undefined>;
}

interface Line {
  readonly line: Json;
  /** Its place in the hub, if it came from there. */
  readonly sequence: number;
}

/**
 * `events.subscribe`. Every tick each entry of the list gives at most one line, in the order of the
 * list: so lines of different kinds overtake each other, and a long history of one kind takes its
 * time. The list cannot be changed later.
 */
export async function subscribe(session: Session, request: Request, peer: Peer): Promise<void> {
  const wanted = decodeSubscriptions(session, request);
  const entries: Entry[] = [];
  for (const [index, subscription] of wanted.entries()) {
    try {
      entries.push(openEntry(session, subscription));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message } = error;
      return peer.answer({ id: `${request.id}:sub:${index}:probe`, error: { code, message } });
    }
  }
  let timer: NodeJS.Timeout | undefined;
  let isGone = false;
  peer.keepOpen(() => {
    isGone = true;
    clearTimeout(timer);
  });
  peer.send({ id: request.id, result: { type: 'subscription_started' } });
  const held: Held[] = [];
  const tick = async () => {
    const lines = session.parts.profile.has('throttle')
      ? await collectOnce(entries)
      : await collectAll(entries);
    for (const { line } of disorder(lines, held, session.parts.faults.random)) {
      peer.send(sorted(line) as Json);
    }
    if (!isGone) timer = setTimeout(() => void tick(), pollMs);
  };
  await tick();
}

interface Held extends Line {
  ticks: number;
}

/** Without `random` everything that is due, and what was still held back before it. */
function disorder(
  lines: readonly Line[],
  held: Held[],
  random: (() => number) | undefined,
): readonly Line[] {
  held.push(...lines.map((line) => ({ ...line, ticks: random ? Math.floor(random() * 5) : 0 })));
  const due = held.filter((line) => !random || line.ticks-- <= 0);
  for (const line of due) held.splice(held.indexOf(line), 1);
  return random
    ? due
        .map((line) => ({ line, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ line }) => line)
    : due;
}

async function collectOnce(entries: readonly Entry[]): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const entry of entries) {
    const line = await entry.next();
    if (line) lines.push(line);
  }
  return lines;
}

/** What herdr does not do: everything at once, in the order in which it happened. */
async function collectAll(entries: readonly Entry[]): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (;;) {
    const more = await collectOnce(entries);
    if (more.length === 0) return lines.sort((a, b) => a.sequence - b.sequence);
    lines.push(...more);
  }
}

function decodeSubscriptions(session: Session, request: Request): readonly Json[] {
  const kinds = subscriptionKinds(session.parts.profile);
  const wanted = request.params['subscriptions'] as readonly unknown[];
  for (const subscription of wanted) {
    const type = isObject(subscription) ? String(subscription['type']) : '';
    const rules = kinds[type];
    const known = Object.keys(kinds).map((kind) => `\`${kind}\``);
    const wrong = rules
      ? findWrong(subscription as Json, rules)
      : `unknown variant \`${type}\`, expected one of ${known.join(', ')}`;
    if (wrong) throw new Undecodable(request.id, wrong);
  }
  return wanted as readonly Json[];
}

function openEntry(session: Session, subscription: Json): Entry {
  const type = String(subscription['type']);
  if (type === 'pane.agent_status_changed') return statusEntry(session, subscription);
  if (type === 'pane.output_matched') return outputEntry(session, subscription);
  if (type === 'pane.scroll_changed') return scrollEntry(session, subscription);
  return globalEntry(session, type.replaceAll('.', '_'));
}

function globalEntry(session: Session, kind: string): Entry {
  const { hub, profile } = session.parts;
  let cursor = profile.has('replay') ? 0 : hub.sequence;
  return {
    next: async () => {
      const found = hub.after(cursor, ({ event }) => event === kind);
      if (!found) return undefined;
      cursor = found.sequence;
      return {
        line: { event: kind, data: { type: kind, ...found.data } },
        sequence: found.sequence,
      };
    },
  };
}

/**
 * With a filter that already holds it speaks at once; when its pane dies it falls silent for ever.
 */
function statusEntry(session: Session, subscription: Json): Entry {
  const { hub } = session.parts;
  const pane = needPane(session, String(subscription['pane_id']));
  const filter = textOf(subscription, 'agent_status');
  let cursor = hub.sequence;
  let isFirst = filter === statusOf(pane.agent);
  return {
    next: async () => {
      if (isFirst) {
        isFirst = false;
        const data = {
          pane_id: session.ids.pane(pane),
          workspace_id: pane.workspace.id,
          agent_status: filter,
          ...(pane.agent ? { agent: pane.agent.label } : {}),
        };
        return { line: scoped(session, 'pane.agent_status_changed', data), sequence: cursor };
      }
      if (!session.panes.includes(pane)) return undefined;
      const found = hub.after(
        cursor,
        ({ event, data }) =>
          event === 'pane_agent_status_changed' &&
          data['pane_id'] === session.ids.pane(pane) &&
          (filter === undefined || data['agent_status'] === filter),
      );
      if (!found) return undefined;
      cursor = found.sequence;
      return {
        line: scoped(session, 'pane.agent_status_changed', found.data),
        sequence: found.sequence,
      };
    },
  };
}

/** Speaks when the match appears, and again only after it has been gone. */
function outputEntry(session: Session, subscription: Json): Entry {
  const pane = needPane(session, String(subscription['pane_id']));
  let isArmed = true;
  return {
    next: async () => {
      const read = await tryRead(session, pane, subscription);
      const match = read && findMatch(String(read['text']), subscription['match'] as Json);
      if (!read) return undefined;
      const isNew = match !== undefined && isArmed;
      isArmed = match === undefined;
      if (!isNew) return undefined;
      const data = { pane_id: session.ids.pane(pane), matched_line: match.line, read };
      return {
        line: scoped(session, 'pane.output_matched', data),
        sequence: session.parts.hub.sequence,
      };
    },
  };
}

function scrollEntry(session: Session, subscription: Json): Entry {
  const pane = needPane(session, String(subscription['pane_id']));
  let last: number | undefined;
  return {
    next: async () => {
      if (!session.panes.includes(pane)) return undefined;
      const screen = await session.parts.terminals
        .capture(pane.terminal, {})
        .catch(() => undefined);
      const isFirst = last === undefined;
      if (!screen || screen.history === last) return undefined;
      last = screen.history;
      if (isFirst) return undefined;
      const scroll = {
        offset_from_bottom: 0,
        max_offset_from_bottom: screen.history,
        viewport_rows: screen.size.rows,
      };
      const data = { pane_id: session.ids.pane(pane), workspace_id: pane.workspace.id, scroll };
      return {
        line: scoped(session, 'pane.scroll_changed', data),
        sequence: session.parts.hub.sequence,
      };
    },
  };
}

async function tryRead(session: Session, pane: Pane, params: Json): Promise<Json | undefined> {
  if (!session.panes.includes(pane)) return undefined;
  return readPane(session, pane, params).catch(() => undefined);
}

/** The three kinds that belong to a pane are named with dots and carry no `type`. */
function scoped(session: Session, event: string, data: Json): Json {
  if (session.parts.profile.has('two-namings')) return { event, data };
  const type = event.replaceAll('.', '_');
  return { event: type, data: { type, ...data } };
}
