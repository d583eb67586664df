import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { describeFailure } from '../failure-detail.ts';
import { findMarks } from '../marks.ts';
import type { TurnNews } from '../way-in.ts';
import { readMessage } from './messages.ts';
import { askServer, type ServerAddress } from './server.ts';

/** Of messages. A turn may have hundreds of steps, and only its beginning says what it held. */
const pageSizes = [20, 100, 500, 2500];

/**
 * The ends of a session's latest turns that ended in this life. The one authority is the message of
 * the model's last step, by the server's word; an event only says when to look, because
 * `session.idle` comes twice after an error and says nothing about the outcome (1.18.33).
 */
export async function readTurnEnds(
  address: ServerAddress,
  session: string,
  { signal, ...life }: Life & { readonly signal: AbortSignal },
): Promise<readonly TurnNews[]> {
  for (const size of pageSizes) {
    const path = `/session/${encodeURIComponent(session)}/message?limit=${size}`;
    const messages = asArray((await askServer(address, path, signal)).body);
    const isAll = messages.length < size;
    if (isAll || size === pageSizes.at(-1) || !beginsAmidTurn(messages)) {
      return findTurnEnds(messages, session, { ...life, isAll });
    }
  }
  return [];
}

interface Life {
  /** When it began: what ended before was told by an earlier one. */
  readonly since: number;
  /**
   * The last turn was seen at work in this life, whatever the clock says that may have been set
   * back since (rule 5).
   */
  readonly isLastOurs?: boolean;
}

/**
 * From messages, the oldest first. What joins a running loop becomes part of it: where the model
 * had finished its answer, it goes on with an answer to the newcomer alone, which is a turn of its
 * own; where it was among its tools, one answer is for all that it held by then (1.18.33). None
 * while the last step goes on.
 */
export function findTurnEnds(
  messages: readonly unknown[],
  session: string,
  { since, isLastOurs = false, isAll }: Life & { readonly isAll: boolean },
): readonly TurnNews[] {
  const turns = splitTurns(messages);
  const latest = turns.at(-1)?.steps.at(-1);
  if (!latest || !isOver(latest)) return [];
  return turns.flatMap((turn, index) => {
    const last = turn.steps.at(-1);
    if (!last || !isOver(last)) return [];
    const isOurs = isLastOurs && index === turns.length - 1;
    if (!isOurs && last.completedAt !== undefined && last.completedAt < since) return [];
    // The first of a page may have held more than the page shows.
    const isWhole = isAll || index > 0;
    const end = {
      session,
      // Each end has a last step of its own, so that it is the first and only stop of its turn.
      id: last.id,
      stop: 1,
      outcome: outcomeOf(last),
      ...describeError(last),
      ...(last.completedAt === undefined ? {} : { endedAt: last.completedAt }),
      ...(isWhole ? { held: turn.prompts.flatMap(({ marks }) => marks) } : {}),
      text: last.text ?? '',
    };
    return [end];
  });
}

interface Prompt {
  readonly id: string;
  readonly marks: readonly string[];
}

interface Step {
  readonly id: string;
  /** The last prompt that was there when it began. */
  readonly parent: string | undefined;
  readonly finish: string | undefined;
  readonly error: unknown;
  readonly completedAt: number | undefined;
  readonly text: string | undefined;
}

interface Turn {
  readonly prompts: Prompt[];
  readonly steps: Step[];
}

function splitTurns(messages: readonly unknown[]): readonly Turn[] {
  const turns: Turn[] = [];
  const waiting: Prompt[] = [];
  for (const raw of messages) {
    const { role, id } = asObject(asObject(raw)['info']);
    const name = asText(id);
    if (name === undefined) continue;
    if (role === 'user') waiting.push({ id: name, marks: findMarks(readText(asObject(raw))) });
    const step = readStep(name, raw);
    if (!step) continue;
    const joined = waiting.splice(0, waiting.findIndex((each) => each.id === step.parent) + 1);
    const current = turns.at(-1);
    const before = current?.steps.at(-1);
    if (current && before && !isAnswered(before)) {
      current.prompts.push(...joined);
      current.steps.push(step);
    } else turns.push({ prompts: joined, steps: [step] });
  }
  return turns;
}

/** The page cuts a turn in two. */
function beginsAmidTurn(messages: readonly unknown[]): boolean {
  return splitTurns(messages)[0]?.prompts.length === 0;
}

/** A summary is OpenCode's own. */
function readStep(id: string, raw: unknown): Step | undefined {
  const { role, summary, parentID, finish, error, time } = asObject(asObject(raw)['info']);
  if (role !== 'assistant' || summary === true) return undefined;
  const { completed } = asObject(time);
  const message = readMessage(raw);
  return {
    id,
    parent: asText(parentID),
    finish: asText(finish),
    error,
    completedAt: typeof completed === 'number' ? completed : undefined,
    text: message?.kind === 'text' ? message.text : undefined,
  };
}

function readText({ parts }: Json): string {
  return asArray(parts)
    .map((part) => asText(asObject(part)['text']) ?? '')
    .join('\n');
}

function isOver({ finish, error }: Step): boolean {
  return finish !== undefined || error !== undefined;
}

/** It does not go on after this: a later step is of another turn. */
function isAnswered(step: Step): boolean {
  return isOver(step) && (step.finish !== 'tool-calls' || step.error !== undefined);
}

/** The API's own words. */
function describeError(step: Step): Pick<TurnNews, 'why'> {
  if (outcomeOf(step) !== 'failed') return {};
  const { name, data } = asObject(step.error);
  return { why: describeFailure(asText(name), asText(asObject(data)['message'])) };
}

function outcomeOf({ finish, error }: Step): TurnNews['outcome'] {
  if (asObject(error)['name'] === 'MessageAbortedError') return 'interrupted';
  if (error !== undefined) return 'failed';
  // It wanted to go on after its tool, and a person's no to that tool was the end.
  return finish === 'tool-calls' ? 'interrupted' : 'completed';
}
