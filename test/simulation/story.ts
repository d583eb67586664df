import type { Attempt } from '../../src/messages/claim.ts';
import type { Message } from '../../src/messages/message.ts';
import type { HistoryRow } from '../../src/messages/message-store.ts';
import type { FakeAgent } from './agent.ts';

/** One message with all that is on record about it. */
export interface Story {
  readonly message: Message;
  readonly history: readonly HistoryRow[];
  readonly attempts: readonly (Attempt & { readonly mark: string })[];
}

/** What was broken, with all of that. */
export function tell(
  what: string,
  agent: FakeAgent | undefined,
  { message, history, attempts }: Story,
): string {
  const path = history.map(({ to, cause }) => `    ${to}: ${cause}`).join('\n');
  const tries = attempts.map((a) => `${a.token} ${a.route} e${a.epoch} ${a.outcome}`).join('; ');
  const who = agent
    ? `${agent.id} (${agent.kind.name}, ${agent.status}, epoch ${agent.epoch})`
    : '';
  return `${what}: ${message.id} seq ${message.seq} ${message.state} ${who}\n${path}\n    tries: ${tries}`;
}
