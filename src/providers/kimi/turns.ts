import { asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { findMarks } from '../marks.ts';
import type { EndedTurn, TurnFold } from '../turn-watch.ts';
import type { TurnNews } from '../way-in.ts';

/**
 * Turn ends out of wire.jsonl (2.1.0), which has all of them: Stop fires for a turn that ended well
 * only, fires for sub-agents as well, and never says which turn. A turn that a hook's reply made go
 * on has stopped once more than it was ended.
 */
export function createTurnFold(): TurnFold {
  let turn: Turn = begin(undefined);
  return (line) => {
    const record = readRecord(line);
    if (!record) return undefined;
    switch (record['type']) {
      case 'turn.prompt':
        turn = begin(asText(record['promptId']), readMarks(record));
        return undefined;
      case 'context.append_message': {
        const marks = readMarks(record);
        if (!isStopReply(record)) {
          turn = { ...turn, held: [...turn.held, ...marks], isAnswered: false };
          return undefined;
        }
        const stopped = { ...turn, stops: turn.stops + 1 };
        // The reply is of what the turn goes on with.
        turn = { ...stopped, held: marks, isAnswered: false };
        return end(stopped, 'completed', record);
      }
      case 'context.append_loop_event':
        turn = addStep(turn, asObject(record['event']));
        return undefined;
      case 'turn.ended': {
        const last = { ...turn, stops: turn.stops + 1, id: turn.id ?? `turn ${record['turnId']}` };
        turn = begin(undefined);
        const outcome = outcomes.get(record['reason']) ?? 'failed';
        // Esc during the Stop hook cancels a turn whose answer is whole.
        const isWhole = outcome === 'interrupted' && last.isAnswered;
        return end(last, isWhole ? 'completed' : outcome, record);
      }
      default:
        return undefined;
    }
  };
}

interface Turn {
  /** Of its prompt; its own number is not the same in all records. */
  readonly id: string | undefined;
  readonly stops: number;
  readonly step: string | undefined;
  readonly text: string;
  /** Marks in all that it was given since its last stop. */
  readonly held: readonly string[];
  /** The model has ended its turn, and has been given nothing since. */
  readonly isAnswered: boolean;
}

function begin(id: string | undefined, held: readonly string[] = []): Turn {
  return { id, stops: 0, step: undefined, text: '', held, isAnswered: false };
}

/** Of a prompt or a message; the model's own words are in other records. */
function readMarks({ input, message }: Json): readonly string[] {
  const { role, content } = asObject(message);
  if (message !== undefined && role !== 'user') return [];
  return findMarks(JSON.stringify(input ?? content ?? ''));
}

const outcomes = new Map<unknown, TurnNews['outcome']>([
  ['completed', 'completed'],
  ['cancelled', 'interrupted'],
]);

function end(
  { id, stops, text, held }: Turn,
  outcome: TurnNews['outcome'],
  record: Json,
): EndedTurn | undefined {
  if (id === undefined) return undefined;
  const { time } = record;
  const words = { text: outcome === 'completed' ? text : '' };
  return {
    turn: { id, outcome, stop: stops, held: [...new Set(held)], ...words },
    at: typeof time === 'number' ? time : undefined,
  };
}

function addStep(turn: Turn, event: Json): Turn {
  if (event['type'] === 'step.begin') return { ...turn, isAnswered: false };
  if (event['type'] === 'step.end') {
    return { ...turn, isAnswered: event['finishReason'] === 'end_turn' && turn.text !== '' };
  }
  return addWords(turn, event);
}

/** The text of the last step that said something. */
function addWords(turn: Turn, event: Json): Turn {
  const part = asObject(event['part']);
  const text = part['type'] === 'text' ? asText(part['text']) : undefined;
  const step = asText(event['stepUuid']);
  if (event['type'] !== 'content.part' || text === undefined) return turn;
  return { ...turn, step, text: step === turn.step ? turn.text + text : text };
}

export function isStopReply(record: Json): boolean {
  const origin = asObject(asObject(record['message'])['origin']);
  return origin['kind'] === 'system_trigger' && origin['name'] === 'stop_hook';
}

/** Undefined for what is neither the conversation's nor the main agent's. */
export function readRecord(line: Buffer): Json | undefined {
  // System prompts and lists of tools are most of it: they are not even parsed.
  const head = line.subarray(0, headBytes);
  if (!types.some((type) => head.includes(type))) return undefined;
  const record = parseObject(line.toString('utf8'));
  return record && (record['agentId'] ?? 'main') === 'main' ? record : undefined;
}

const types = ['turn.prompt', 'turn.ended', 'context.'].map((type) => `"type":"${type}`);
/** Each record begins with its type. */
const headBytes = 64;
