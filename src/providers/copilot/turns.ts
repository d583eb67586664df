import { asArray, asObject, asText, parseObject } from '../../shared/json.ts';
import { findMarks } from '../marks.ts';
import type { EndedTurn, TurnFold } from '../turn-watch.ts';
import type { TurnNews } from '../way-in.ts';

/**
 * Turn ends out of events.jsonl (1.0.102), which has all of them under the interaction's id: the
 * hook fires for a turn that ended well only, and does not say which.
 */
export function createTurnFold(): TurnFold {
  let turn: Turn | undefined;
  /**
   * An interaction goes on where a hook or a person says more: each end of it is a stop of its own.
   */
  let last = { id: '', stops: 0 };
  /**
   * In all that came in since the last end: what comes in behind an answer is a turn of its own,
   * and not answered by it.
   */
  let held: string[] = [];
  const end = (outcome: TurnNews['outcome'], at: number | undefined): EndedTurn | undefined => {
    const ended = turn;
    turn = undefined;
    if (!ended) return undefined;
    const marks = held;
    held = [];
    const words = { text: outcome === 'completed' ? ended.text : '' };
    const stop = last.id === ended.id ? last.stops + 1 : 1;
    last = { id: ended.id, stops: stop };
    return { turn: { id: ended.id, outcome, stop, held: marks, ...words }, at };
  };
  return (line) => {
    if (!types.some((type) => line.subarray(0, headBytes).includes(type))) return undefined;
    const record = parseObject(line.toString('utf8')) ?? {};
    const data = asObject(record['data']);
    // A sub-agent's stand in the same file.
    if (record['agentId'] !== undefined || data['parentToolCallId'] !== undefined) return undefined;
    const at = readTime(record['timestamp']);
    switch (record['type']) {
      case 'user.message':
        held.push(...findMarks(asText(data['content']) ?? ''));
        turn = begin(asText(data['interactionId']) ?? turn?.id, turn);
        return undefined;
      case 'assistant.message':
        if (turn) turn = addAnswer(turn, data);
        return undefined;
      case 'assistant.turn_end':
        return turn?.isLast ? end('completed', at) : undefined;
      case 'abort':
        return end('interrupted', at);
      case 'session.error':
        return end('failed', at);
      default:
        return undefined;
    }
  };
}

interface Turn {
  readonly id: string;
  readonly text: string;
  /** The model has said something that calls no tool. */
  readonly isLast: boolean;
}

/** What is steered into a running turn belongs to its interaction. */
function begin(id: string | undefined, before: Turn | undefined): Turn | undefined {
  if (id === undefined) return undefined;
  return before?.id === id ? { ...before, isLast: false } : { id, text: '', isLast: false };
}

function addAnswer(turn: Turn, data: Readonly<Record<string, unknown>>): Turn {
  const text = asText(data['content']) ?? turn.text;
  return { ...turn, text, isLast: asArray(data['toolRequests']).length === 0 };
}

function readTime(value: unknown): number | undefined {
  const at = typeof value === 'number' ? value : Date.parse(asText(value) ?? '');
  return Number.isFinite(at) ? at : undefined;
}

const types = [
  'user.message',
  'assistant.message',
  'assistant.turn_end',
  'abort',
  'session.error',
].map((type) => `"type":"${type}"`);
/** Each record begins with its type. */
const headBytes = 64;
