import type { MessageQuery } from '../../messages/message-store.ts';

/**
 * Spelled out from the query, because a partial index serves only a query that spells its terms.
 */
export function matching(query: MessageQuery): string {
  const terms = [
    `(${query.states.map((state) => `state = '${state}'`).join(' or ') || 'false'})`,
    // Only where it is asked for: with it SQLite would rather walk the whole table than use an
    // index of its own.
    ...(query.afterSeq === undefined ? [] : ['seq > @after']),
    ...(query.to === undefined ? [] : ['recipient = @to']),
    ...(query.party === undefined ? [] : ['(recipient = @party or sender = @party)']),
    ...(query.lettersOnly ? ["kind not in ('bounce', 'notice')"] : []),
    ...(query.includeDiscarded ? [] : ['discarded_at is null']),
  ];
  return terms.join(' and ');
}

export function parameters(query: MessageQuery): Record<string, unknown> {
  return { to: query.to ?? null, party: query.party ?? null, after: query.afterSeq ?? 0 };
}
