import type { MessageState } from '../../messages/message.ts';
import { messageStates, sourcesOf } from '../../messages/transitions.ts';

/** One statement per target state, each with the legal sources of that state in its `where`. */
export const updateState = Object.fromEntries(
  messageStates.map((to) => [to, moveTo(to, sourcesOf(to))]),
) as Record<MessageState, string>;

function moveTo(to: MessageState, sources: readonly MessageState[]): string {
  return `
  update messages set state = '${to}', settled_at = @settledAt, token = coalesce(@token, token),
    reason = case when @clearReason then null else coalesce(@reason, reason) end,
    not_landed = coalesce(@notLanded, not_landed), reoffered = coalesce(@reoffered, reoffered),
    may_repeat = coalesce(@mayRepeat, may_repeat), in_context = coalesce(@inContext, in_context),
    taken_back = coalesce(@takenBack, taken_back), carried_as = coalesce(@carriedAs, carried_as),
    expires_at = case when @clearExpiry then null else expires_at end,
    discarded_at = case when @clearDiscarded then null else discarded_at end, attempts = attempts + @attempt${to === 'injected' ? setEnd() : ''}
  where id = @id and state = @from and state in (${sources.map((state) => `'${state}'`).join(', ')})
    and (@guard is null or token = @guard)
  returning seq, sender, recipient, token`;
}

/**
 * Without proof to be had `injected` is the end (rule 8), except for a pointer, whose body is still
 * to be asked for.
 */
function setEnd(): string {
  return `,
    is_end = exists (select 1 from claims where claims.token = messages.token and provable = 0) and not exists (
      select 1 from attempts
      where attempts.message = messages.seq and attempts.token = messages.token and pointer = 1)`;
}
