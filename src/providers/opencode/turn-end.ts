import { asArray, asObject, asText } from '../../shared/json.ts';
import type { TurnNews } from '../way-in.ts';
import { readMessage } from './messages.ts';
import { askServer, type ServerAddress } from './server.ts';

/** Of messages: the last step of a turn is among them, whatever was queued behind it. */
const pageSize = 10;

/**
 * The end of a session's last turn, when it ended in this life. The one authority is the message of the model's last step,
 * by the server's word; an event only says when to look, because `session.idle` comes twice after an error and says nothing
 * about the outcome (1.18.33).
 */
export async function readTurnEnd(
  address: ServerAddress,
  session: string,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<TurnNews | undefined> {
  const path = `/session/${encodeURIComponent(session)}/message?limit=${pageSize}`;
  const { body } = await askServer(address, path, signal);
  return findTurnEnd(asArray(body), session, since);
}

/** From messages, the oldest first; undefined when the last step goes on, or ended before. */
export function findTurnEnd(
  messages: readonly unknown[],
  session: string,
  since: number,
): TurnNews | undefined {
  const last = messages.findLast((raw) => isStep(raw));
  const { id, finish, error, time } = asObject(asObject(last)['info']);
  const name = asText(id);
  const completedAt = asObject(time)['completed'];
  const isOver = asText(finish) !== undefined || error !== undefined;
  if (name === undefined || !isOver) return undefined;
  if (typeof completedAt === 'number' && completedAt < since) return undefined;
  const message = readMessage(last);
  const text = message?.kind === 'text' ? message.text : undefined;
  return {
    session,
    // Each end has a last step of its own, so that it is the first and only stop of its turn.
    id: name,
    stop: 1,
    outcome: outcomeOf(asText(finish), error),
    ...(text === undefined ? {} : { text }),
  };
}

/** A summary is OpenCode's own. */
function isStep(raw: unknown): boolean {
  const { role, summary } = asObject(asObject(raw)['info']);
  return role === 'assistant' && summary !== true;
}

function outcomeOf(finish: string | undefined, error: unknown): TurnNews['outcome'] {
  if (asObject(error)['name'] === 'MessageAbortedError') return 'interrupted';
  if (error !== undefined) return 'failed';
  // It wanted to go on after its tool, and a person's no to that tool was the end.
  return finish === 'tool-calls' ? 'interrupted' : 'completed';
}
