import { pause, systemClock } from '../../shared/clock.ts';
import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import { findMarks } from '../marks.ts';
import type { HeardTurn, WantedConversation } from '../provider.ts';
import { codeOf } from '../record-files.ts';
import type { TurnNews } from '../way-in.ts';
import { findTranscript, readRecord } from './transcript.ts';

/**
 * The parts of a turn that something joined. What comes while the model answers is given to it
 * behind that answer, in the same turn: Stop fires once, with the last words alone, and the chat
 * file has each answer with what was said to the model before it (0.24.4). The file is behind the
 * hook, by 0.3 s at rest and by 7 s on a busy machine, so a turn that ended well is waited for.
 */
export async function readTurnParts(
  end: TurnNews,
  place: WantedConversation,
  { heardAt, signal }: HeardTurn,
): Promise<readonly TurnNews[]> {
  for (;;) {
    const turns = await readTurns(place, heardAt);
    const whole = turns.find((turn) => isOf(turn, end));
    if (whole) return toNews(whole, end, place.conversation);
    if (
      end.outcome !== 'completed' ||
      signal.aborted ||
      !(await pause(systemClock, lookMs, signal))
    ) {
      const [newest] = turns;
      return newest ? toNews({ ...newest, isWhole: false }, end, place.conversation) : [end];
    }
  }
}

const lookMs = 50;
/**
 * Whoever speaks at once after the end has begun another turn by the time that the file is read.
 */
const turnsBack = 3;

interface Part {
  readonly marks: readonly string[];
  /** Undefined: the model has not answered. */
  readonly answer?: Answer;
}

interface Answer {
  readonly uuid: string;
  readonly text: string;
  readonly at: number;
}

interface Turn {
  /** The oldest first. */
  readonly parts: readonly Part[];
  /** All that it was given is known. */
  readonly isWhole: boolean;
  /** Its names, as its hooks use them; those of sub-agents stand there, too. */
  readonly ids: ReadonlySet<string>;
}

/** The newest first; nothing that was written down after `heardAt`. */
async function readTurns(place: WantedConversation, heardAt: number): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  const path = await findTranscript(place);
  if (path === undefined) return turns;
  let records: Json[] = [];
  let isDamaged = false;
  try {
    for await (const line of readLinesBackwards(path)) {
      const record = line === 'too-long' ? undefined : parseObject(line.toString('utf8'));
      if (record === undefined) isDamaged = true;
      if (record === undefined || timeOf(record) > heardAt) continue;
      records.push(record);
      if (!isBeginning(record)) continue;
      // A task's end or a clock may begin a turn, and may join one.
      const isWhole = !isDamaged && record['subtype'] === undefined;
      const ids = new Set(records.flatMap(promptIdOf));
      turns.push({ parts: split(records.reverse()), isWhole, ids });
      records = [];
      isDamaged = false;
      if (turns.length === turnsBack) break;
    }
  } catch (error) {
    // It was moved away since it was found.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return turns;
}

function split(records: readonly Json[]): readonly Part[] {
  const parts: Part[] = [];
  let part: Part = { marks: [] };
  for (const record of records) {
    const entry = readRecord(record);
    if (record['type'] === 'user') {
      const marks = findMarks(textOf(record));
      // What joins amid its tools is answered together with what was there.
      if (part.answer) parts.push(part);
      part = { marks: part.answer ? marks : [...part.marks, ...marks] };
    } else if (entry?.kind === 'answer') {
      part = {
        marks: part.marks,
        ...(entry.callsTools ? {} : { answer: toAnswer(record, entry) }),
      };
    }
  }
  return [...parts, part];
}

function toAnswer(record: Json, { text }: { readonly text: string }): Answer {
  return { uuid: asText(record['uuid']) ?? '', text, at: timeOf(record) };
}

/**
 * Of several turns the one of that name that ended with these words. Without names, the words have
 * to do; they are no name, since one turn after the other may end with "Done.".
 */
function isOf({ parts, ids }: Turn, { id, text }: TurnNews): boolean {
  if (ids.size > 0 && !ids.has(id)) return false;
  const words = parts.at(-1)?.answer?.text;
  return words !== undefined && text !== undefined && words.trim() === text.trim();
}

/**
 * Each part but the last has a name of its own, by which it is known when it is told again
 * (rule 26).
 */
function toNews({ parts, isWhole }: Turn, end: TurnNews, session: string): readonly TurnNews[] {
  const earlier = parts.slice(0, -1).flatMap(({ marks, answer }) =>
    answer
      ? [
          {
            ...{ session, id: answer.uuid, stop: 1, outcome: 'completed' as const },
            ...{ text: answer.text, endedAt: answer.at, held: marks },
          },
        ]
      : [],
  );
  return [...earlier, isWhole ? { ...end, held: parts.at(-1)?.marks ?? [] } : end];
}

/** Each answer of the model's API is noted with the name of the turn (0.24.4). */
function promptIdOf({ systemPayload }: Json): readonly string[] {
  const id = asText(asObject(asObject(systemPayload)['uiEvent'])['prompt_id']);
  return id === undefined ? [] : [id];
}

function isBeginning({ type, subtype }: Json): boolean {
  return type === 'user' && subtype !== 'mid_turn_user_message';
}

function textOf(record: Json): string {
  const parts = asArray(asObject(record['message'])['parts']);
  return parts.map((part) => asText(asObject(part)['text']) ?? '').join('\n');
}

/** Wall time. */
function timeOf(record: Json): number {
  return Date.parse(asText(record['timestamp']) ?? '');
}
