import { createHash } from 'node:crypto';
import type { ShownQuestion } from '../../agents/question.ts';
import type { StatusView } from '../../agents/status.ts';
import type { HookPayload } from '../../providers/provider.ts';
import type {
  CliQuestion,
  Decided,
  Decision,
  HookQuestion,
  QuestionChannel,
} from '../../providers/questions.ts';
import { type HeldAnswer, HeldHooks, type HeldParts } from './held-hooks.ts';
import { type Asker, QuestionNames } from './question-id.ts';
import { returnMs } from './trial.ts';

/** What is open, and whether that is all. */
export interface AskedNow {
  readonly questions: readonly ShownQuestion[];
  /** Its channel cannot be asked now, so there may be more. */
  readonly isBlind: boolean;
  /** Hooks that hold one may be about to come back to us. */
  readonly isComing: boolean;
  /**
   * Wall time since which one is held that the CLI shows by nothing: neither on its screen nor in
   * what it says of itself.
   */
  readonly hiddenSince?: number;
}

export const nothingAsked: AskedNow = { questions: [], isBlind: false, isComing: false };

export interface QuestionsParts extends HeldParts {
  readonly asker: Asker;
  /** It runs since before this daemon. */
  readonly isFoundAgain: boolean;
  /** The CLI's own channel, where it has one; it is closed with this. */
  readonly channel: QuestionChannel | undefined;
  readonly read: ((hook: HookPayload) => HookQuestion | undefined) | undefined;
}

/**
 * All that one life of an agent asks and that can be answered without its terminal: what the
 * channel of its CLI tells, and hooks that wait. Each has a name for people that is bound to all
 * that they were shown; a decision about another one does nothing.
 */
export class Questions {
  readonly #parts: QuestionsParts;
  readonly #held: HeldHooks;
  readonly #names: QuestionNames;
  readonly #openedAtMs: number;
  #counting: Promise<number | undefined> | undefined;
  #isAtRest = false;

  constructor(parts: QuestionsParts) {
    this.#parts = parts;
    this.#held = new HeldHooks(parts);
    this.#names = new QuestionNames(parts.asker);
    this.#openedAtMs = parts.clock.monotonicMs();
  }

  get now(): AskedNow {
    const { channel } = this.#parts;
    const questions = this.#all
      .filter((one) => one.channel !== channel || one.question.isSubAgents || !this.#isAtRest)
      .map(({ question }) => this.#show(question));
    const isNew = this.#parts.clock.monotonicMs() - this.#openedAtMs < returnMs;
    const isComing = isNew && this.#parts.isFoundAgain && this.#parts.read !== undefined;
    const { hiddenSince } = this;
    return {
      ...{ questions, isBlind: this.#parts.channel?.isBlind ?? false, isComing },
      ...(hiddenSince === undefined ? {} : { hiddenSince }),
    };
  }

  get hiddenSince(): number | undefined {
    return this.#held.hiddenSince;
  }

  /** One poll of a hook that waits. */
  async hold({ cli, hook, call }: HeldPoll, signal: AbortSignal): Promise<HeldAnswer> {
    const question = this.#parts.read?.(call);
    if (!question) return 'dismissed';
    // The CLI draws no dialog for it before the hook has ended: a person at the terminal would see
    // none, so it is held only while nobody is there.
    if (question.isSubAgents && (await this.#countWatchers()) !== 0) return 'dismissed';
    return this.#held.hold({ cli, hook, question, payload: call, ...readSubject(call) }, signal);
  }

  confirm(id: string): boolean {
    return this.#held.confirm(id);
  }

  async decide(id: string, decision: Decision, signal: AbortSignal): Promise<Decided> {
    const found = this.#all.find(({ question }) => this.#names.of(question) === id);
    if (!found) {
      if (!this.#parts.channel?.isBlind) return { outcome: 'gone' };
      return { outcome: 'refused', reason: 'its CLI cannot be asked right now' };
    }
    const { question, channel } = found;
    if (!question.decisions.includes(decision)) {
      return { outcome: 'refused', reason: `its CLI takes no \`${decision}\` here` };
    }
    return channel.decide(question.key, decision, signal);
  }

  /** Every other hook of the life. */
  note(call: HookPayload): void {
    this.#held.note(call.event, readSubject(call));
  }

  /**
   * Nothing of a conversation is asked while that rests: Qwen Code 0.24.4 does not tell of an Esc
   * that a person pressed, and would list its question until the next turn.
   */
  rests(isAtRest: boolean): void {
    this.#isAtRest = isAtRest;
  }

  ownState(report: Parameters<HeldHooks['ownState']>[0]): void {
    this.#held.ownState(report);
  }

  close(): void {
    this.#held.close();
    this.#parts.channel?.close();
  }

  get #all(): readonly { question: CliQuestion; channel: Pick<QuestionChannel, 'decide'> }[] {
    const { channel } = this.#parts;
    return [
      ...(channel?.open ?? []).map((question) => ({ question, channel: channel ?? this.#held })),
      ...this.#held.open.map((question) => ({ question, channel: this.#held })),
    ];
  }

  /** One look for all hooks that come at once. */
  async #countWatchers(): Promise<number | undefined> {
    this.#counting ??= this.#parts.watchers();
    try {
      return await this.#counting;
    } finally {
      this.#counting = undefined;
    }
  }

  #show(question: CliQuestion): ShownQuestion {
    const { asks, text, decisions, isSubAgents } = question;
    return {
      ...{ id: this.#names.of(question), asks, text, decisions },
      ...(isSubAgents ? { isSubAgents } : {}),
    };
  }
}

export interface HeldPoll {
  readonly cli: number;
  readonly hook: number;
  readonly call: HookPayload;
}

/** Which tool for which input, and for whom: by it a later hook shows what it was about. */
function readSubject({ body }: HookPayload): { readonly subject: string; readonly asker: string } {
  const whole = JSON.stringify([body['tool_name'], body['tool_input']]);
  const subject = createHash('sha256').update(whole).digest('base64');
  return { subject, asker: String(body['agent_id'] ?? '') };
}

/** What everybody sees of an agent: the first question in one line, and all of them, bounded. */
export function withQuestions(
  seen: StatusView,
  asked: Pick<AskedNow, 'questions' | 'hiddenSince'>,
): StatusView {
  const { questions } = asked;
  const [first] = questions;
  if (!first) return seen;
  const view = withHidden(seen, asked);
  const question = view.status === 'waiting' ? { question: toLine(first.text) } : {};
  return { ...view, ...question, questions: questions.map(bound) };
}

/** An agent that asks is `waiting`, also where nothing but the hook that we hold tells so. */
export function withHidden<T extends Pick<StatusView, 'status' | 'source' | 'since'>>(
  view: T,
  { hiddenSince: since }: { readonly hiddenSince?: number | undefined },
): T {
  if (since === undefined || view.status === 'waiting' || view.status === 'exited') return view;
  return { ...view, status: 'waiting', detail: 'permission', source: 'hook', since };
}

/** Of a text in lists and events, in characters: `signalbox answer` shows all of it. */
const mostListed = 2000;
const mostInLine = 300;

function bound(question: ShownQuestion): ShownQuestion {
  if (question.text.length <= mostListed) return question;
  return { ...question, text: cut(question.text, mostListed), isCut: true };
}

function toLine(text: string): string {
  const line = text.split(/\s*\n\s*/).join(' · ');
  return line.length <= mostInLine ? line : `${cut(line, mostInLine)}…`;
}

/** Never between the two halves of a character. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
