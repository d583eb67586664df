import { asArray, asObject, asText } from '../../shared/json.ts';
import { isIdOf } from './message-id.ts';
import { exchange, type ServerAddress } from './server.ts';
import { findTurnEnds } from './turn-end.ts';

/**
 * Our message that a session at rest has taken and begins no turn for; undefined when there is
 * none.
 */
export async function findWaiting(
  address: ServerAddress,
  session: string,
): Promise<string | undefined> {
  const ask = (path: string): ReturnType<typeof exchange> =>
    exchange(address, { method: 'GET', path });
  const status = await ask('/session/status');
  if (status.outcome !== 'answered' || asObject(status.body)[session] !== undefined)
    return undefined;
  const messages = await ask(`/session/${encodeURIComponent(session)}/message?limit=10`);
  if (messages.outcome !== 'answered' || messages.status !== 200) return undefined;
  return findUnanswered(asArray(messages.body), session);
}

/**
 * The newest prompt, when it is ours and the model has begun no answer to it. After a request that
 * failed it is left alone: the next one would fail as well.
 */
function findUnanswered(messages: readonly unknown[], session: string): string | undefined {
  const at = messages.findLastIndex((raw) => asObject(asObject(raw)['info'])['role'] === 'user');
  const { info, parts } = asObject(messages[at]);
  const id = asText(asObject(info)['id']);
  if (id === undefined || !isOurs(id, asArray(parts))) return undefined;
  const isAnswered = messages.slice(at + 1).some((raw) => {
    const types = asArray(asObject(raw)['parts']).map((part) => asObject(part)['type']);
    return types.includes('step-start');
  });
  const ends = findTurnEnds(messages, session, { since: 0, isAll: false });
  const hasFailed = ends.at(-1)?.outcome === 'failed';
  return isAnswered || hasFailed ? undefined : id;
}

/** Its id follows from a mark in its text: nobody else can make such a one. */
function isOurs(id: string, parts: readonly unknown[]): boolean {
  return parts
    .map((part) => asText(asObject(part)['text']) ?? '')
    .flatMap((text) => text.match(/\bmark_\w+/g) ?? [])
    .some((mark) => isIdOf(id, mark));
}
