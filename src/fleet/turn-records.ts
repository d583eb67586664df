import type { TurnOutcome } from '../messages/message.ts';
import type { AgentContext, HeardTurn } from '../providers/provider.ts';
import type { TurnNews } from '../providers/way-in.ts';
import { type Clock, pause } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import { readLastWords } from './last-words.ts';
import type { Life } from './life.ts';

/** What a CLI's own records say of its turns. */
export interface TurnRecords {
  readonly lastWords: (signal: AbortSignal, outcome: TurnOutcome) => Promise<string | undefined>;
  /**
   * The last turn that began, by the name that the authority for turn ends has for it; undefined
   * where none is on record.
   */
  readonly lastTurn: (signal: AbortSignal) => Promise<Pick<TurnNews, 'session' | 'id'> | undefined>;
  /** Whoever tells of turn ends looks up those before: its silence proves nothing yet. */
  readonly isBehind?: () => boolean;
  /** Undefined where a turn has no parts, or none that the CLI would not tell by itself. */
  readonly parts?: (end: TurnNews, heard: HeardTurn) => Promise<readonly TurnNews[]>;
}

/** What the records of one life's CLI say of its turns, wherever its conversation is by then. */
export function openTurnRecords(life: Life, context: () => AgentContext): TurnRecords {
  const { provider } = life;
  const readParts: TurnRecords['parts'] = async (end, heard) => {
    const { cwd, env, conversation } = context();
    // A stand-in has no name for the conversation.
    const session = end.session.startsWith('epoch-') ? conversation : end.session;
    if (session === undefined) return [end];
    return (
      (await provider.readTurnParts?.(end, { cwd, env, conversation: session }, heard)) ?? [end]
    );
  };
  return {
    lastWords: (signal, outcome) => readLastWords(life, context(), { outcome, signal }),
    lastTurn: async (signal) => provider.findLastTurn?.(context(), signal),
    ...(provider.readTurnParts ? { parts: readParts } : {}),
  };
}

/** Records that are slow to tell are not waited for: the end itself matters more. */
export async function askRecords<T>(
  clock: Clock,
  limitMs: number,
  ask: (signal: AbortSignal) => Promise<T | undefined>,
): Promise<T | undefined> {
  const over = new AbortController();
  const late = new AbortController();
  void pause(clock, limitMs, over.signal).then((isLate) => isLate && late.abort());
  try {
    return await ask(late.signal);
  } catch (error) {
    reportBug('reading what is on record of a turn', error);
    return undefined;
  } finally {
    over.abort();
  }
}
