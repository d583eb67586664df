// Tests: src/delivery/describe-senders.test.ts.

import { signalbox } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import type { Message } from '../messages/message.ts';
import { shorten } from '../shared/cell-width.ts';
import { revealLine } from '../shared/reveal.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { listMessagesOf } from './rewrite-attempt.ts';

/** As much of a message as names it for a person; columns. */
const lineColumns = 100;
/** More messages than this are counted. */
const mostNamed = 3;

/**
 * What a person who looks at the agent reads about messages that go in: who wrote each, and its
 * first line, with nothing in it that acts on a terminal. `from lead: please look at the parser`.
 */
export async function describeSenders(
  tx: LedgerTransaction,
  messages: readonly Message[],
): Promise<string> {
  const named = messages.slice(0, mostNamed);
  const names = await tx.agents.listNames(named.map(({ from }) => from));
  const lines = named.map(({ from, body }) => {
    const known = names.get(from);
    const name = known ? callName(known) : from === signalbox.id ? signalbox.name : from;
    const first = body.split('\n').find((line) => line.trim() !== '') ?? '';
    return `from ${name}: ${cut(revealLine(first.trim().slice(0, 1000)))}`;
  });
  const more = messages.length - named.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join(' · ');
}

/** The same for what a hook says was submitted: by the marks in it, from the ledger alone. */
export async function describeSubmitted(
  tx: LedgerTransaction,
  agent: string,
  text: string,
): Promise<string | undefined> {
  const messages: Message[] = [];
  for (const mark of new Set(text.match(/mark_[0-9a-z_]{16,120}/g)?.slice(0, 20))) {
    const claim = await tx.claims.findByMark(mark);
    // What is pasted stands on the screen itself.
    if (claim?.recipient !== agent || claim.route !== 'native') continue;
    messages.push(...(await listMessagesOf(tx, claim)));
  }
  return messages.length === 0 ? undefined : describeSenders(tx, messages);
}

function cut(text: string): string {
  const short = shorten(text, lineColumns);
  return short === text ? text : `${shorten(text, lineColumns - 1)}…`;
}
