import { createHash } from 'node:crypto';
import type { Conversation } from './conversation.ts';
import { parseDirectives, type Step } from './directives.ts';
import { fillSchema } from './fill-schema.ts';
import type { Turn } from './user-text.ts';

/**
 * Requests of the CLI's own (titles, classifiers, suggestions): they never play a script. They come
 * without tools, but for Qwen 0.24.4, which sends the whole conversation once more with an order of
 * its own at the end.
 */
export function isSideRequest({ tools }: Conversation, turn: Turn): boolean {
  return (
    tools.length === 0 || asksForSuggestion(turn) || turn.text.startsWith('Managed memory has ')
  );
}

/** What a person might type next, to be shown in the composer. */
export function asksForSuggestion({ text }: Turn): boolean {
  return text.startsWith('[SUGGESTION MODE:');
}

/** Scripts by name. One holds no other by name: it would not be expanded. */
export type Taught = ReadonlyMap<string, Lesson>;

export interface Lesson {
  readonly steps: readonly Step[];
  /**
   * Played with what is said next, too, if that came before the answer: as a model does that was
   * asked two things.
   */
  readonly isOwed: boolean;
}

/**
 * The steps of the turn's script that this one request plays: up to and with the next tool call, or
 * to the end.
 */
export function stepsFor(
  turn: Turn,
  conversation: Conversation,
  taught: Taught = new Map(),
  recalled: ReadonlyMap<string, readonly Step[]> = new Map(),
): readonly Step[] {
  if (isSideRequest(conversation, turn)) return [{ do: 'say', text: sideAnswer(conversation) }];
  const owed = turn.unanswered.flatMap(parseDirectives).flatMap((step) => {
    const lesson = step.do === 'play' ? taught.get(step.name) : undefined;
    return lesson?.isOwed ? lesson.steps : [];
  });
  const said = parseDirectives(turn.text).flatMap((step) =>
    step.do === 'play' ? (taught.get(step.name)?.steps ?? unknown(step.name)) : [step],
  );
  const asked = [...recalled].flatMap(([text, steps]) => (turn.text.includes(text) ? steps : []));
  const script = [...owed, ...said, ...asked];
  if (script.length === 0) return [{ do: 'say', text: noted(turn.text) }];
  const rest = script.slice(afterCalls(script, turn.callsSince));
  const nextCall = rest.findIndex((step) => isCall(step) && !isWithNext(step));
  const steps = nextCall < 0 ? rest : rest.slice(0, nextCall + 1);
  // Every API wants some answer after a tool's result, and the screen something to settle on.
  return steps.length === 0 ? [{ do: 'say', text: 'Done.' }] : steps;
}

function unknown(name: string): readonly Step[] {
  return [{ do: 'say', text: `The mock was never taught ${name}.` }];
}

/** A CLI that asked for JSON and got none asks again, some of them for seconds. */
function sideAnswer({ answerSchema }: Conversation): string {
  return answerSchema ? JSON.stringify(fillSchema(answerSchema, 'Lab')) : 'Lab';
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function noted(text: string): string {
  return `Noted ${Buffer.byteLength(text)} bytes, sha256 ${sha256(text).slice(0, 8)}.`;
}

/**
 * Where the script goes on after so many calls; beyond its end when the CLI made more than it asked
 * for.
 */
function afterCalls(script: readonly Step[], calls: number): number {
  if (calls === 0) return 0;
  const callsAt = script.flatMap((step, at) => (isCall(step) ? [at] : []));
  return (callsAt[calls - 1] ?? script.length) + 1;
}

function isWithNext(step: Step): boolean {
  return step.do === 'mcp' && step.isWithNext === true;
}

function isCall(step: Step): boolean {
  return step.do === 'tool' || step.do === 'mcp';
}
