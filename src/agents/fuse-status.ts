import { describeWait } from '../messages/describe-wait.ts';
import type { AgentStatus } from './agent.ts';
import { explainSmall } from './explain-small.ts';
import type { FusionMemory } from './fusion-memory.ts';
import { detailOf, hookLeadMs, isAtRest, isWord, remember, type Word } from './remember-turn.ts';
import type { Composer, StatusReport, StatusSource, StatusView, Verdict } from './status.ts';
import { takesPaste } from './takes-paste.ts';

/**
 * Many sources, one status. Saying idle while the agent works is the one mistake that corrupts a
 * turn, so a doubt always falls towards working or waiting, and what nobody can tell is `unknown`.
 * The first line that fits decides:
 *
 * | what is known                                        | status                                |
 * | ---------------------------------------------------- | ------------------------------------- |
 * | the process ended                                    | exited                                |
 * | a dialog on the screen, and no later word that work  | waiting                               |
 * | goes on                                              |                                       |
 * | own state: waiting                                   | waiting                               |
 * | own state: processing                                | processing, however idle the screen   |
 * | a hook newer than the own state: processing, waiting | its word for 500 ms, then the state's |
 * | own state or hook: at rest; later screen: processing | processing                            |
 * | own state: at rest; a later screen said processing   | processing                            |
 * | less than 5 s ago, and tells nothing now             |                                       |
 * | own state: at rest                                   | at rest                               |
 * | hook: processing, waiting; a screen 500 ms later or  | the screen's                          |
 * | more contradicts                                     |                                       |
 * | hook: anything else                                  | the hook's                            |
 * | the screen alone                                     | the screen's                          |
 * | at rest by the screen alone, or by what was told     | processing, waiting                   |
 * | before; the backend's own match of screens: working, |                                       |
 * | blocked                                              |                                       |
 * | nothing, and there are no rules for its screen       | unknown                               |
 * | nothing yet, for less than 60 s                      | starting                              |
 * | nothing                                              | unknown                               |
 *
 * The backend's idea counts as own state where it is the CLI's own word and the CLI has no other.
 * Where the backend has matched screens it never makes an agent idle: what it calls idle may be a
 * screen that it does not know.
 *
 * At rest means `error` when the last turn failed, until the next one starts; else `completed` when
 * there has been a turn, else `idle`. How a turn ended is the hook's to say before the own state's
 * and the screen's: an answer can look like an error.
 *
 * A screen that contradicts an own state at rest is a question, which is asked again: as long as it
 * shows work, it is right; once it tells nothing, the own state is, 5 s after the last look that
 * showed work (rule 44). A hook is an event and no state: refuted by a screen, its word is worth
 * nothing any more.
 *
 * Whoever calls looks at the screen once more after each word of a hook or of the own state, 500 ms
 * later or more, and again when a doubt is over; and the own state is reported when it changes, not
 * again and again, because the later word is taken for news.
 */
export function fuse(memory: FusionMemory, told: FusionInputs, now: Moment): Fusion {
  return fuseWords(memory, withOwnWord(told), now);
}

/** What the CLI told the backend is the CLI's own state, where nothing better is known. */
function withOwnWord(inputs: FusionInputs): FusionInputs {
  const { native, ...rest } = inputs;
  if (!native?.isOwnWord) return inputs;
  return rest.ownState ? rest : { ...rest, ownState: native };
}

function fuseWords(memory: FusionMemory, inputs: FusionInputs, now: Moment): Fusion {
  const told = chooseTold(memory, inputs, now);
  const word = judge(memory, inputs, told, now);
  const next = remember(memory, word, inputs, now);
  const { status, detail, source } = isAtRest(word.status) ? describeRest(word, next) : word;
  const before = memory.view;
  const isSame = before?.status === status && before.detail === detail;
  const question = readAsked(status, inputs);
  const view: StatusView = {
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(question === undefined ? {} : { question }),
    source,
    since: isSame ? before.since : now.wall,
    composer: readComposer(status, inputs),
  };
  const overruledAt = told && isRefuted(told, word) ? told.at : memory.overruledAt;
  const doubtedAt = isDoubt(told, word) ? lastWork(memory, inputs) : memory.doubtedAt;
  const again = isDoubt(told, word) ? { askAgainAt: doubtedAt + doubtMs } : {};
  return { view, memory: { ...next, overruledAt, doubtedAt, view }, ...again };
}

export interface FusionInputs {
  /** Set once the process has ended. */
  readonly exit?: { readonly exitCode?: number; readonly exitSignal?: string };
  /** The CLI's own state; absent where it has none or lost it. */
  readonly ownState?: StatusReport;
  /** The backend's own idea of the agent. */
  readonly native?: NativeReport;
  /** The newest one. */
  readonly hook?: StatusReport;
  /** The newest settled one; `at` is when it was looked at. */
  readonly screen?: Verdict & { readonly at: number };
  /** Monotonic. */
  readonly lastOutputAt?: number;
}

/** `isOwnWord`: the CLI told the backend; otherwise the backend has matched screens. */
export interface NativeReport extends StatusReport {
  readonly isOwnWord: boolean;
}

export interface Moment {
  readonly wall: number;
  readonly monotonicMs: number;
}

export interface Fusion {
  readonly view: StatusView;
  readonly memory: FusionMemory;
  /**
   * The screen contradicts an own state at rest: it is to be looked at again then (rule 44).
   * Monotonic.
   */
  readonly askAgainAt?: number;
}

/** Slow machines, large repositories; later than that a person should look. */
const readyWithinMs = 60_000;
/**
 * A screen that showed work stands against an own state at rest for so long after the last look
 * that did (rule 44).
 */
const doubtMs = 5000;

function judge(
  memory: FusionMemory,
  { exit, screen, native }: FusionInputs,
  told: StatusReport | undefined,
  now: Moment,
): Word {
  if (exit) return { status: 'exited', detail: describeExit(exit), source: 'process' };
  if (screen?.status === 'waiting') {
    const isAnswered = told?.status === 'processing' && told.at > screen.at;
    if (!isAnswered) return describeDialog(screen, told);
  }
  const seen = screen && isWord(screen.status) ? toWord(screen, 'screen') : undefined;
  // A spinner before the first composer is the program's own start.
  const match = memory.isReady ? native : undefined;
  if (!told) return doubt(match, seen) ?? seen ?? describeSilence(memory, screen, native, now);
  if (!seen && isDoubted(memory, told, now)) return { status: 'processing', source: 'screen' };
  if (!seen || !screen || !overrules(screen, told)) {
    return doubt(match, told) ?? toWord(told, told.source);
  }
  return seen;
}

/**
 * A match of screens by the backend, against a word of rest: only a word that is newer than the
 * match stands against it.
 */
function doubt(
  native: NativeReport | undefined,
  said: Word | StatusReport | undefined,
): Word | undefined {
  if (!native || isAtRest(native.status) || !isWord(native.status)) return undefined;
  if (said && !isAtRest(said.status)) return undefined;
  if (said && 'at' in said && native.at < said.at + hookLeadMs) return undefined;
  return toWord(native, 'backend');
}

/**
 * Between the own state and the newest hook: the state is always there and always right, but a hook
 * may be quicker.
 */
function chooseTold(
  memory: FusionMemory,
  inputs: FusionInputs,
  now: Moment,
): StatusReport | undefined {
  const isBelieved = (said: StatusReport | undefined): said is StatusReport => {
    if (!said || !isWord(said.status)) return false;
    return said.source !== 'hook' || said.at > memory.overruledAt;
  };
  const hook = isBelieved(inputs.hook) ? inputs.hook : undefined;
  const ownState = isBelieved(inputs.ownState) ? inputs.ownState : undefined;
  if (!ownState || !hook || isAtRest(hook.status)) return ownState ?? hook;
  const isAhead = hook.at > ownState.at && now.monotonicMs < hook.at + hookLeadMs;
  return isAhead ? hook : ownState;
}

function overrules(screen: Verdict & { readonly at: number }, told: StatusReport): boolean {
  if (screen.status === told.status || screen.status === 'waiting') return false;
  if (isAtRest(told.status)) return screen.status === 'processing' && screen.at > told.at;
  return told.source === 'hook' && screen.at >= told.at + hookLeadMs;
}

/**
 * An end that was none, or a hook's turn or question that is over. What is older than it is over,
 * too.
 */
function isRefuted(told: StatusReport, word: Word): boolean {
  if (word.source !== 'screen') return false;
  return isAtRest(told.status) || (told.source === 'hook' && word.status !== 'waiting');
}

/** An own state at rest, against which a screen showed work a moment ago. */
function isDoubted(memory: FusionMemory, told: StatusReport, now: Moment): boolean {
  if (told.source === 'hook' || !isAtRest(told.status)) return false;
  return memory.doubtedAt > told.at && now.monotonicMs < memory.doubtedAt + doubtMs;
}

function isDoubt(told: StatusReport | undefined, word: Word): boolean {
  if (!told || told.source === 'hook' || !isAtRest(told.status)) return false;
  return word.status === 'processing' && word.source === 'screen';
}

function lastWork({ doubtedAt }: FusionMemory, { screen }: FusionInputs): number {
  return screen?.status === 'processing' ? screen.at : doubtedAt;
}

function describeDialog(screen: Verdict, told: StatusReport | undefined): Word {
  if (told?.status !== 'waiting') return toWord(screen, 'screen');
  // `dialog` is all that some sources know; another may know which.
  const details = [screen.detail, told.detail].filter((detail) => detail !== undefined);
  const detail = details.find((text) => text !== 'dialog') ?? details[0];
  return { status: 'waiting', source: told.source, ...detailOf({ detail }) };
}

function describeSilence(
  memory: FusionMemory,
  screen: Verdict | undefined,
  native: NativeReport | undefined,
  now: Moment,
): Word {
  if (memory.isReady && native && isAtRest(native.status)) {
    const detail = 'the terminal’s backend says idle, from screens alone';
    return { status: 'unknown', detail, source: 'none' };
  }
  if (screen?.isBlind) return { status: 'unknown', source: 'none' };
  const isLate = now.monotonicMs - memory.startedAt >= readyWithinMs;
  if (!memory.isReady && !isLate) return { status: 'starting', source: 'process' };
  return { status: 'unknown', detail: explainUnread(memory, screen), source: 'none' };
}

function explainUnread({ isReady }: FusionMemory, screen: Verdict | undefined): string {
  if (screen?.tooSmall) return describeWait(explainSmall(screen.tooSmall));
  return isReady ? 'screen not recognised' : `not ready after ${readyWithinMs / 1000} s`;
}

function describeRest(word: Word, memory: FusionMemory): Word {
  if (memory.failure) return { status: 'error', ...memory.failure };
  return { status: memory.hadTurn ? 'completed' : 'idle', source: word.source };
}

/**
 * Only a screen that shows the last word of the program proves anything, and nothing is typed into
 * a dialog.
 */
function readComposer(status: AgentStatus, { screen, lastOutputAt = 0 }: FusionInputs): Composer {
  if (!screen || status === 'exited' || screen.at < lastOutputAt) return 'unknown';
  return status === 'waiting' && takesPaste(screen.composer) ? 'hidden' : screen.composer;
}

/** Only what the screen shows now; another source may know sooner that there is a question. */
function readAsked(status: AgentStatus, { screen }: FusionInputs): string | undefined {
  return status === 'waiting' && screen?.status === 'waiting' ? screen.question : undefined;
}

function toWord(said: { status: AgentStatus; detail?: string }, source: StatusSource): Word {
  return { status: said.status, source, ...detailOf(said) };
}

function describeExit(exit: NonNullable<FusionInputs['exit']>): string {
  if (exit.exitSignal) return `signal ${exit.exitSignal}`;
  return exit.exitCode === undefined ? 'exit code not known' : `exit code ${exit.exitCode}`;
}
