import type { AgentStatus } from './agent.ts';
import type { FusionInputs, Moment } from './fuse-status.ts';
import type { FusionMemory } from './fusion-memory.ts';
import type { StatusReport, StatusSource } from './status.ts';

/**
 * When turns begin and how they end, as far as it can be known from words that come late, early or
 * not at all.
 */
export function remember(
  memory: FusionMemory,
  word: Word,
  inputs: FusionInputs,
  now: Moment,
): FusionMemory {
  const isReady = memory.isReady || isWord(word.status);
  if (word.status === 'processing') {
    if (isEcho(word, inputs)) return { ...memory, isReady, isInTurn: true };
    // Found again in a dialog it may have been in its first turn: now it certainly is in one.
    if (memory.isInTurn && !memory.failure) return { ...memory, isReady, hadTurn: true };
    const { failure: _, ...rest } = memory;
    // A spinner before the first composer is the program's own start, unless the program itself
    // says that it is a turn.
    const isTurn = memory.isReady || word.source !== 'screen';
    const turnAt = startOf(word, inputs) ?? now.monotonicMs;
    return { ...rest, isReady, isInTurn: isTurn, turnAt, hadTurn: memory.hadTurn || isTurn };
  }
  if (!isAtRest(word.status)) return { ...memory, isReady };
  const { failure: known, ...rest } = memory;
  const failure = isOfEarlierLife(memory, inputs)
    ? undefined
    : findFailure(memory.turnAt, inputs, known);
  const hadTurn = memory.hadTurn || word.status === 'completed';
  return { ...rest, isReady, isInTurn: false, hadTurn, ...(failure ? { failure } : {}) };
}

/**
 * The last frame of a turn whose end was just reported: until the next one the agent counts as
 * working, but it is no new turn and how the old one ended is not forgotten.
 */
function isEcho(word: Word, { hook, ownState, screen }: FusionInputs): boolean {
  if (word.source !== 'screen' || !screen) return false;
  const isEndJustBefore = (said: StatusReport | undefined): boolean =>
    said !== undefined && isAtRest(said.status) && screen.at < said.at + hookLeadMs;
  return isEndJustBefore(hook) || isEndJustBefore(ownState);
}

/**
 * The time of the word itself: the end of a turn may be reported before anybody has judged its
 * beginning.
 */
function startOf(word: Word, { hook, ownState, screen }: FusionInputs): number | undefined {
  return [hook, ownState, screen && { ...screen, source: 'screen' }].find(
    (source) => source?.source === word.source,
  )?.at;
}

/**
 * A resumed conversation shows how its last turn ended, in a life before this one: OpenCode 1.18.33
 * draws a turn that was killed like one that failed. Where the CLI itself says that it rests and no
 * turn was heard of, no model's API has failed.
 */
function isOfEarlierLife({ hadTurn }: FusionMemory, { ownState }: FusionInputs): boolean {
  return !hadTurn && ownState?.status === 'idle';
}

function findFailure(
  turnAt: number,
  { hook, ownState, screen }: FusionInputs,
  known: FusionMemory['failure'],
): FusionMemory['failure'] {
  const ended = hook && hook.at >= turnAt ? hook : undefined;
  if (ended?.status === 'completed') return undefined;
  const failed = [ended, ownState, screen && { ...screen, source: 'screen' as const }].find(
    (source) => source?.status === 'error' && source.at >= turnAt,
  );
  return failed ? { source: failed.source, ...detailOf(failed) } : known;
}

/**
 * How long a hook is ahead of the screen and of the state: the CLI draws what it announced within
 * that time.
 */
export const hookLeadMs = 500;

/** The judgement of one moment, before the past is considered. */
export interface Word {
  readonly status: AgentStatus;
  readonly detail?: string;
  readonly source: StatusSource;
}

export function isAtRest(status: AgentStatus): boolean {
  return status === 'idle' || status === 'completed' || status === 'error';
}

export function isWord(status: AgentStatus): boolean {
  return status !== 'unknown' && status !== 'starting' && status !== 'exited';
}

export function detailOf(said: { readonly detail?: string | undefined }): {
  readonly detail?: string;
} {
  return said.detail === undefined ? {} : { detail: said.detail };
}
