import type { AgentQuestions, DecidedView, DecisionRequest } from '../../protocol/questions.ts';
import type { DaemonLink } from './daemon-link.ts';

export function readQuestions(link: DaemonLink, id: string): Promise<AgentQuestions> {
  return link.ask({ method: 'GET', path: pathOf(id), isSlow: true, showsToken: true });
}

/** Until its CLI has confirmed it, or nothing tells more. */
export function decideQuestion(
  link: DaemonLink,
  id: string,
  question: string,
  body: DecisionRequest,
): Promise<DecidedView> {
  const path = `${pathOf(id)}/${encodeURIComponent(question)}`;
  return link.ask({ method: 'POST', path, body, isSlow: true, showsToken: true });
}

function pathOf(id: string): string {
  return `/agents/${encodeURIComponent(id)}/questions`;
}
