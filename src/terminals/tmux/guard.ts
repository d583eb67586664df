import type { GuardBreach, ScreenGuard, WriteGuard } from '../writing.ts';
import { equal, marks } from './identity.ts';
import { rowOf, titleHas } from './screen-pattern.ts';

/**
 * Every session that shows this pane, with the seconds of its last key and of its beginning. Only a
 * person's keys, and a client that attaches or comes from another session, move a session's
 * activity; what we write, output and a resize do not (3.3a). Inside the loop `pane_id` is that of
 * the session's current window, so the hub, which never selects an agent's window, has no part in
 * it. Behind them stands when a person last had us press a key, which moves nobody's activity.
 */
export function typingStampFormat(pane: string): string {
  const typed = `#{S:#{?${isPane(pane)},#{session_id}.#{session_activity}.#{session_created}:,}}`;
  return `${typed}#{${marks.pressed}}`;
}

/**
 * Without the `%` of a pane's id: `display-message` hands its text to strftime, at each level of a
 * format anew, and that takes `%3` for a width of three and pads it (3.3a, glibc).
 */
function isPane(pane: string): string {
  const digits = /^%(\d+)$/.exec(pane)?.[1];
  if (digits === undefined) throw new RangeError(`not a pane: ${pane}`);
  return `#{m:?${digits},#{pane_id}}`;
}

/** The last key in there, also of somebody who has left; undefined when nobody ever was there. */
export function lastKeyOf(typingStamp: string): number | undefined {
  const sessions = typingStamp.split(':').map((session) => session.split('.').map(Number));
  const keys = sessions.flatMap(([, key = 0, began = 0]) => (key > began ? [key] : []));
  return keys.length === 0 ? undefined : Math.max(...keys);
}

/** The last key that a person had us press; undefined when nobody ever did. */
export function lastPressOf(typingStamp: string): number | undefined {
  const pressed = /(?:^|:)(\d+)$/.exec(typingStamp)?.[1];
  return pressed === undefined ? undefined : Number(pressed);
}

/** True inside tmux while all of it holds; both kinds are conjunctions. */
export interface GuardFormats {
  readonly untyped: readonly string[];
  readonly uncovered: readonly string[];
}

export function guardFormats(pane: string, guard: WriteGuard = {}): GuardFormats {
  const { untypedSince, cursor, screen } = guard;
  const at = cursor && `${cursor.x}.${cursor.y}`;
  return {
    untyped: untypedSince === undefined ? [] : [equal(typingStampFormat(pane), untypedSince)],
    uncovered: [
      ...(at === undefined ? [] : [equal('#{cursor_x}.#{cursor_y}', at)]),
      ...(screen?.absent ?? []).map(isAbsent),
      ...(screen?.present ?? []).map((pattern) => `#{!=:${rowOf(pattern)},0}`),
      ...(screen?.absentTitle ? [equal(titleHas(screen.absentTitle), '0')] : []),
    ],
  };
}

function isAbsent(pattern: ScreenGuard['absent'][number]): string {
  const isGone = equal(rowOf(pattern), '0');
  if (typeof pattern === 'string' || !('unless' in pattern)) return isGone;
  return `#{||:${isGone},#{!=:${rowOf(pattern.unless)},0}}`;
}

const breaches: readonly string[] = ['typed', 'covered'] satisfies readonly GuardBreach[];

export function readBreach(said: string | undefined): GuardBreach | undefined {
  return said !== undefined && breaches.includes(said) ? (said as GuardBreach) : undefined;
}
