import { callName } from '../agents/reference.ts';
import type { Explanation } from '../protocol/messages.ts';
import { tellNext } from '../protocol/next-step.ts';
import { type Faring, judgeMessage } from './judge-message.ts';
import { type Mark, stateMark } from './marks.ts';
import { revealDocument } from './reveal-document.ts';
import { tellSpan } from './tell-time.ts';

/** The whole story of one message, as `signalbox explain` tells it. */
export interface Story {
  readonly id: string;
  readonly short: string;
  readonly title: string;
  readonly facts: readonly string[];
  readonly body: string;
  readonly faring: Faring;
  readonly mark: Mark;
  readonly state: string;
  readonly moves: readonly Move[];
  readonly attempts: readonly Try[];
  /** What has to happen next. */
  readonly next: readonly string[];
  readonly canCancel: boolean;
  /** Dead or expired, so that it can be put back. */
  readonly canRetry: boolean;
}

interface Move {
  readonly at: string;
  readonly state: string;
  readonly mark: Mark;
  /** Since the move before it. */
  readonly after: string;
  readonly cause: string;
  readonly evidence: string | undefined;
}

interface Try {
  readonly number: number;
  readonly at: string;
  readonly way: string;
  readonly outcome: string;
  readonly facts: readonly string[];
}

export function viewStory(document: Explanation, now: number, user: string): Story {
  const told = revealDocument(document);
  const { message, history, attempts } = told;
  const { waitsForCode } = told;
  const changedAt = history.at(-1)?.at ?? message.createdAt;
  const judged = { ...message, changedAt, ...(waitsForCode ? { waitsForCode } : {}) };
  const faring = judgeMessage(judged, now, user);
  const isOpen = ['queued', 'claimed', 'injected', 'uncertain'].includes(message.state);
  return {
    id: message.id,
    short: message.short ?? message.id,
    title: `${callName(message.from)} → ${callName(message.to)}`,
    facts: listFacts(message),
    body: message.body,
    faring,
    mark: stateMark(message.state, faring),
    state: message.state,
    moves: history.map(({ at, from, to, cause, evidence }, i) => ({
      ...{ at, state: to, mark: stateMark(to, 'done') },
      after: i === 0 ? '' : tellAfter(history[i - 1]?.at ?? at, at),
      // An insert is fsynced before anybody is told about it.
      cause: from === null ? `${cause} (fsynced)` : cause,
      evidence,
    })),
    attempts: attempts.map(viewTry),
    next: tellNext(told),
    canCancel: isOpen,
    canRetry: message.state === 'dead' || message.state === 'expired',
  };
}

function listFacts(message: Explanation['message']): readonly string[] {
  const { kind, urgent, standing, attempts, outcome, reason, truncated, repeat } = message;
  const { replyTo = [], owes = [] } = message;
  return [
    kind,
    `${attempts === 0 ? 'is to arrive' : 'went'} as a ${standing}`,
    ...(urgent ? ['urgent'] : []),
    ...(outcome ? [`turn ${outcome}`] : []),
    ...(reason ? [reason.replaceAll('_', ' ')] : []),
    ...(truncated ? ['cut when it was accepted'] : []),
    ...(repeat ? ['may be a repeat'] : []),
    ...(replyTo.length > 0 ? [`answers ${replyTo.join(' ')}`] : []),
    ...(owes.length > 0 ? [`still owes ${owes.join(' ')}`] : []),
  ];
}

/** Short spans tell most here. */
function tellAfter(before: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(before);
  if (ms < 1000) return `+${Math.max(0, ms)} ms`;
  return `+${ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : tellSpan(ms)}`;
}

function viewTry(attempt: Explanation['attempts'][number]): Try {
  const { number, at, route, provider, epoch, outcome, receipt, pointer, parts, folded } = attempt;
  return {
    number,
    at,
    way: provider === undefined ? route : `${route} into ${provider}`,
    outcome: attempt.unconfirmed ? 'sent, unconfirmed' : outcome,
    facts: [
      ...(epoch > 1 ? [`life ${epoch}`] : []),
      ...(receipt === undefined ? [] : [`the CLI calls it ${receipt}`]),
      ...(pointer ? ['its id went in, its body did not'] : []),
      ...(parts ? [`${parts.handed} of its ${parts.of} parts handed out`] : []),
      ...(folded === undefined ? [] : [`${folded} tries before it were cut off like it`]),
    ],
  };
}
