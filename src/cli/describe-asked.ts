import { callName } from '../agents/reference.ts';
import type { AgentQuestions, DecidedView } from '../protocol/questions.ts';

type Question = AgentQuestions['questions'][number];

/** The whole question, for what is no terminal; the gate there makes visible what hides in it. */
export function describeAsked(name: string, question: Question): string {
  const lines = question.text.split('\n').map((line) => `  ${line}\n`);
  return `${headAsked(name, question)}\n${lines.join('')}`;
}

/** The line above it. */
export function headAsked(name: string, { id, asks, isSubAgents }: Question): string {
  const who = isSubAgents ? `A sub-agent of ${name}` : name;
  return `${who} asks to ${purposes[asks]} (${id}):`;
}

const purposes = {
  command: 'run a command',
  edit: 'change files',
  tool: 'use a tool',
} as const;

export function describeDecided({
  agent,
  question,
  decision,
  outcome,
  reason,
}: DecidedView): string {
  const done = decision === 'allow' ? 'allowed once' : 'denied';
  const name = callName(agent);
  if (outcome === 'taken') return `${name}: ${question} is ${done}`;
  return `${name}: the answer to ${question} (${decision}) was sent; whether it was taken is not known: ${reason ?? 'nothing tells'}`;
}
