import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import type { OwnState } from '../provider.ts';

export interface UserThread {
  readonly id: string;
  readonly status: Json;
  readonly recency: number;
  /** Its rollout, which is written from the first prompt on. */
  readonly path?: string;
}

/**
 * A thread as the app-server describes it, when it is one that a person talks to. Beside it there
 * are a hidden one per turn that makes up a title (ephemeral) and those of sub-agents (with a
 * parent): they change nothing (rule 38).
 */
export function readUserThread(thread: Json): UserThread | undefined {
  const id = asText(thread['id']);
  const source = thread['threadSource'] ?? 'user';
  const isHidden = thread['ephemeral'] === true || typeof thread['parentThreadId'] === 'string';
  if (id === undefined || isHidden || source !== 'user') return undefined;
  const recency = Number(thread['recencyAt'] ?? thread['updatedAt'] ?? 0);
  const path = asText(thread['path']);
  return {
    id,
    status: asObject(thread['status']),
    recency,
    ...(path === undefined ? {} : { path }),
  };
}

/**
 * The one on the screen: whichever works, else the one that was touched last. Ids are UUIDv7 and
 * grow.
 */
export function chooseThread(threads: readonly UserThread[]): UserThread | undefined {
  const order = (a: UserThread, b: UserThread): number =>
    Number(isActive(b)) - Number(isActive(a)) || b.recency - a.recency || (a.id < b.id ? 1 : -1);
  return threads.toSorted(order)[0];
}

/** Touched later, or the one that works. Whole seconds: of the same one nobody can tell. */
export function isAfter(one: UserThread, other: UserThread): boolean {
  return isActive(one) !== isActive(other) ? isActive(one) : one.recency > other.recency;
}

export function isActive({ status }: Pick<UserThread, 'status'>): boolean {
  return status['type'] === 'active';
}

/** Undefined for a thread that is not loaded, and for what a later version may add. */
export function describeStatus(status: Json): OwnState['report'] {
  switch (status['type']) {
    case 'idle':
      return { status: 'idle' };
    case 'systemError':
      return { status: 'error' };
    case 'active':
      return describeFlags(status['activeFlags']);
    default:
      return undefined;
  }
}

function describeFlags(flags: unknown): OwnState['report'] {
  const set = new Set(asArray(flags));
  if (set.has('waitingOnApproval')) return { status: 'waiting', detail: 'permission' };
  if (set.has('waitingOnUserInput')) return { status: 'waiting', detail: 'question' };
  return { status: 'processing' };
}
