import { callName } from '../agents/reference.ts';
import type { AgentQuestions, DecidedView } from '../protocol/questions.ts';

/**
 * The whole question, as it stands on a terminal; the gate there makes visible what hides in it.
 */
export function describeAsked(
  name: string,
  { id, asks, text, isSubAgents }: AgentQuestions['questions'][number],
): string {
  const who = isSubAgents ? `A sub-agent of ${name}` : name;
  const lines = text.split('\n').map((line) => `  ${line}\n`);
  return `${who} asks to ${purposes[asks]} (${id}):\n${lines.join('')}`;
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
