import type { StatusView } from '../agents/status.ts';
import type { MessageState } from '../messages/message.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';

/**
 * What happens, for whoever listens. A topic has three words: `agent.<id>.status`,
 * `terminal.<agent id>.output`, `message.<id>.<state>`. The ledger is the truth; an event only says
 * that it is worth a look.
 */
export type SignalEvent =
  | { readonly kind: 'output'; readonly agent: string; readonly data: OutputNews }
  | {
      readonly kind: 'status';
      readonly agent: string;
      readonly data: StatusView & { readonly name: string; readonly session: string };
    }
  | { readonly kind: 'launched'; readonly agent: string; readonly data: LifeNews }
  | { readonly kind: 'exited'; readonly agent: string; readonly data: ExitNews }
  | { readonly kind: 'rehomed'; readonly agent: string; readonly data: LifeNews }
  | { readonly kind: 'removed'; readonly agent: string; readonly data: LifeNews }
  | { readonly kind: 'message'; readonly message: string; readonly data: MessageNews };

/** Something was printed. The bytes themselves are followed per agent, not published. */
interface OutputNews {
  readonly bytes: number;
}

interface LifeNews {
  readonly name: string;
  readonly session: string;
  readonly epoch: number;
}

interface ExitNews extends LifeNews {
  readonly cause: string;
  readonly exitCode?: number;
  readonly exitSignal?: string;
}

interface MessageNews {
  readonly state: MessageState;
  readonly from: string;
  readonly to: string;
}

export function topicOf(event: SignalEvent): string {
  switch (event.kind) {
    case 'output':
      return `terminal.${event.agent}.output`;
    case 'message':
      return `message.${event.message}.${event.data.state}`;
    default:
      return `agent.${event.agent}.${event.kind}`;
  }
}

export type TopicTest = (topic: string) => boolean;

/**
 * Word by word; `*` stands for any one word. No pattern at all means everything but output, which
 * nobody reads by chance.
 */
export function matchTopics(patterns: readonly string[]): TopicTest {
  if (patterns.length === 0) return (topic) => !topic.startsWith('terminal.');
  const tests = patterns.map(parsePattern);
  return (topic) => tests.some((test) => test(topic));
}

/** Three words. */
export const topicForm = /^(\*|[A-Za-z0-9_-]{1,64})(\.(\*|[A-Za-z0-9_-]{1,64})){2}$/;

function parsePattern(pattern: string): TopicTest {
  if (!topicForm.test(pattern)) {
    throw new Fault(
      'invalid-input',
      `${quote(pattern)} is no topic: one has three words with dots between them.`,
      'Use agent.*.status, agent.*.*, message.*.dead or terminal.<agent id>.output; * stands for one word.',
    );
  }
  const words = pattern.split('.');
  return (topic) => {
    const given = topic.split('.');
    return given.length === 3 && words.every((word, i) => word === '*' || word === given[i]);
  };
}
