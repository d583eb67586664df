import { describeQuestion, wayToAnswer } from '../agents/describe-question.ts';

/** It asks; its last turn failed; it has written to the user. */
export const kinds = ['question', 'failed', 'unread'] as const;

/** One reason to tell a person something. */
export interface Cause {
  readonly kind: (typeof kinds)[number];
  readonly agent: { readonly id: string; readonly name: string };
  readonly epoch: number;
  /** Wall time. */
  readonly since: number;
  /** In the CLI's own words where `isKnown`; else words of ours that stand in for them. */
  readonly text: string;
  readonly isKnown: boolean;
  /** The command that leads there. */
  readonly next: string;
  /** Wall time of the last key of a person in that terminal. */
  readonly typedAt?: number | undefined;
  /** Of `unread`. */
  readonly message?: { readonly id: string; readonly seq: number };
}

/** As much of an agent as decides whether it needs a person. */
export interface Judged {
  readonly id: string;
  readonly name: string;
  readonly epoch: number;
  readonly status: string;
  readonly detail?: string | undefined;
  readonly question?: string | undefined;
  readonly questions?: readonly unknown[] | undefined;
  /** Wall time. */
  readonly since: number;
  readonly typedAt?: number | undefined;
}

/** What of one agent's status needs a person; undefined when nothing does. */
export function judgeAgent(agent: Judged): Cause | undefined {
  const { id, name, epoch, status, detail, question, since, typedAt } = agent;
  const who = { agent: { id, name }, epoch, since, typedAt };
  if (status === 'waiting') {
    // Of a trust dialog the kind says it all.
    const isKnown = question !== undefined || detail === 'trust';
    const [text, next] = [describeQuestion(agent), wayToAnswer(agent, name)];
    return { kind: 'question', ...who, text, isKnown, next };
  }
  if (status === 'error') {
    const text = `its last turn failed${detail === undefined ? '' : ` (${detail})`}`;
    return { kind: 'failed', ...who, text, isKnown: true, next: `signalbox output ${name}` };
  }
  return undefined;
}
