import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { hasWord } from '../model-output.ts';
import type { AttemptTrace, Finding } from '../way-in.ts';

/**
 * What one chat file (0.24.4) says about our marks, record by record. A prompt is answered by an
 * `assistant` record that comes before the next prompt. The chain of parents says nothing: a prompt
 * that was taken back stays on it. What the model, a tool or a sub-agent says is never searched
 * (rules 6, 7, 38).
 */
export interface Judge {
  take(line: string | 'too-long'): void;
  judge(attempt: JudgedAttempt, chat: ChatFile): Finding;
}

type JudgedAttempt = Pick<AttemptTrace, 'mark' | 'at' | 'isAlive' | 'isSubmitted'>;

interface ChatFile {
  readonly file: string;
  /** It is the conversation that goes on. */
  readonly isCurrent: boolean;
}

/**
 * `startedAt`: wall time of this life's beginning. A resume puts every prompt of the file back into
 * the conversation, also those that an interruption had taken out; no record says that it happened.
 */
export function createJudge(startedAt: number): Judge {
  const inputs = new Map<string, Input>();
  /** Prompts whose answer is awaited: the newest, and what goes to the model with it. */
  let open: Input[] = [];
  let isMidTurn = false;
  let hasFailed = false;
  let isDamaged = false;
  let isResumed = false;
  /** How the life before this one left the conversation. */
  let lastAt = Number.NEGATIVE_INFINITY;
  let isTurnOpen = false;

  const answer = (by: string): void => {
    for (const input of open) input.answeredBy ??= by;
    open = [];
    isMidTurn = false;
  };
  const passOver = (): void => {
    for (const input of open) input.isPassedOver = true;
    open = [];
  };
  const resume = (record: Json): void => {
    if (isResumed || !(timeOf(record) >= startedAt)) return;
    isResumed = true;
    hasFailed = true;
    open = [...inputs.values()].filter(({ answeredBy, isGone }) => !answeredBy && !isGone);
    for (const input of open) input.isPassedOver = false;
  };
  const ask = (record: Json): void => {
    resume(record);
    const midTurn = record['subtype'] === 'mid_turn_user_message';
    // Several that waited for the same step go to the model together.
    const joins = midTurn && isMidTurn;
    // A turn that failed stays in the conversation, and the next request holds it. An interrupted
    // one takes it out, too.
    if (!joins && !hasFailed) passOver();
    isMidTurn = midTurn;
    hasFailed = false;
    const uuid = asText(record['uuid']) ?? 'without a name';
    for (const mark of new Set(marksOf(record))) {
      // Sent once more by a person, who found it in the composer: what was proven stays so.
      if (inputs.get(mark)?.answeredBy !== undefined) continue;
      const input: Input = { uuid };
      inputs.set(mark, input);
      open.push(input);
    }
  };

  return {
    take: (line) => {
      const record = line === 'too-long' ? undefined : parseObject(line);
      if (record === undefined) {
        isDamaged = true;
        return;
      }
      if (timeOf(record) < startedAt) {
        lastAt = timeOf(record);
        isTurnOpen = leavesOpen(record) ?? isTurnOpen;
      }
      switch (record['type']) {
        case 'user':
          return ask(record);
        case 'assistant':
          if (isOutput(record)) answer(asText(record['uuid']) ?? 'without a name');
          return;
        case 'system':
          if (isApiError(record)) {
            hasFailed = true;
            for (const input of open) input.hasFailed = true;
          }
          // A person went back, or only a summary is left: what was unanswered is not in the next
          // request for certain.
          if (record['subtype'] === 'rewind' || record['subtype'] === 'chat_compression') {
            passOver();
            for (const input of inputs.values()) input.isGone = true;
          }
      }
    },
    judge: (attempt, { file, isCurrent }) => {
      const input = inputs.get(attempt.mark);
      if (input) {
        const isComingBack = !attempt.isAlive && isCurrent && !input.isGone;
        return describe(input, `user record ${input.uuid} in ${file}`, {
          isComingBack: isComingBack && !(isResumed && input.isPassedOver),
          isLeft: !isCurrent,
        });
      }
      if (attempt.isAlive) {
        return {
          found: 'none',
          evidence: `no user record with the mark in ${file}; what waits for its turn is on no record, and an interruption puts it into the composer`,
        };
      }
      // What joins a turn fires no hook, and is on record some 100 ms after its request (0.24.4).
      const mayHaveJoined = isTurnOpen || lastAt >= attempt.at;
      const doubt = isDamaged
        ? `${file} has lines that cannot be read`
        : attempt.isSubmitted
          ? `it was submitted, and the process died before ${file} had a record of it`
          : mayHaveJoined
            ? `a turn that went on in ${file} may have taken it in before the process died`
            : undefined;
      if (doubt !== undefined) return { found: 'unknown', evidence: doubt };
      return {
        found: 'absent',
        evidence: `the agent was at rest, never submitted it, and ${file} has no user record with the mark after the process's end`,
      };
    },
  };
}

interface Input {
  readonly uuid: string;
  answeredBy?: string;
  hasFailed?: boolean;
  isPassedOver?: boolean;
  /** Not even a resume brings it back for certain. */
  isGone?: boolean;
}

function describe(
  { answeredBy, hasFailed, isPassedOver, isGone }: Input,
  record: string,
  { isComingBack, isLeft }: { readonly isComingBack: boolean; readonly isLeft: boolean },
): Finding {
  if (answeredBy !== undefined) {
    return { found: 'seen', evidence: `assistant record ${answeredBy} answers ${record}` };
  }
  if (isLeft) {
    const evidence = `${record} has no answer, and its conversation was left`;
    return { found: 'landed', evidence, isLeft };
  }
  if (isComingBack) {
    return { found: 'landed', evidence: `${record}, without an answer; a resume brings it back` };
  }
  if (isPassedOver || isGone) {
    return {
      found: 'unknown',
      evidence: `${record} has no answer before the next prompt: it was interrupted, and is out of the conversation unless a draft stood in the composer`,
      isPassedOver: true,
    };
  }
  if (hasFailed) {
    return { found: 'landed', evidence: `${record}; its request failed, the next one holds it` };
  }
  // Not `landed`: whether its request is under way or was interrupted is on no record.
  return {
    found: 'none',
    evidence: `${record}, no answer yet; an interruption before any output puts it back into the composer`,
    isTakenBackByEsc: true,
  };
}

/**
 * Only what was said to the model by somebody: not a task's end or a clock's prompt, which may
 * quote anything.
 */
function marksOf(record: Json): readonly string[] {
  const { subtype } = record;
  if (subtype !== undefined && subtype !== 'mid_turn_user_message') return [];
  const texts = asArray(asObject(record['message'])['parts']).map(
    (part) => asText(asObject(part)['text']) ?? '',
  );
  return texts.flatMap((text) => text.match(/\bmark_\w+/g) ?? []);
}

/** A word, a thought or a call (rule 43). */
function isOutput(record: Json): boolean {
  return asArray(asObject(record['message'])['parts'])
    .map(asObject)
    .some(({ text, functionCall }) => hasWord(text) || functionCall !== undefined);
}

/** Undefined when it says nothing about that. */
function leavesOpen(record: Json): boolean | undefined {
  switch (record['type']) {
    case 'user':
    case 'tool_result':
      return true;
    case 'assistant':
      return asArray(asObject(record['message'])['parts']).some(
        (part) => asObject(part)['functionCall'] !== undefined,
      );
    default:
      return isApiError(record) ? false : undefined;
  }
}

/** Wall time; not a number where there is none. */
function timeOf(record: Json): number {
  return Date.parse(asText(record['timestamp']) ?? '');
}

function isApiError(record: Json): boolean {
  const event = asObject(asObject(record['systemPayload'])['uiEvent']);
  return record['subtype'] === 'ui_telemetry' && event['event.name'] === 'qwen-code.api_error';
}
