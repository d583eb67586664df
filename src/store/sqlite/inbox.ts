import { userAgentId } from '../../agents/agent.ts';
import type { MessageState } from '../../messages/message.ts';
import type { HoldingBudget, Outline, WaitingBound } from '../../messages/message-store.ts';
import type { Connection } from './connection.ts';

/**
 * What delivery asks of one inbox at every look: each answer is a few probes of an index, and reads
 * no body.
 */
export function readOutline(db: Connection, to: string, now: number): Outline {
  const row = db.statement(selectOutline).get({ to, now }) as Record<keyof Outline, 0 | 1>;
  return {
    queued: row.queued === 1,
    waking: row.waking === 1,
    urgent: row.urgent === 1,
    prompt: row.prompt === 1,
    timed: row.timed === 1,
    overdue: row.overdue === 1,
    claimed: row.claimed === 1,
    open: row.open === 1,
    uncertain: row.uncertain === 1,
    owes: row.owes === 1,
  };
}

/** Of those that wait, the first. */
export function listHead(
  db: Connection,
  to: string,
  bound: WaitingBound,
): readonly { readonly seq: number }[] {
  const { count, now, unlessHeldBy: spent } = bound;
  const { standing } = bound;
  const all = bound.urgentOnly ? selectUrgent : selectQueued;
  const usual = standing ? all.replace('order by', `${ofStanding[standing]} order by`) : all;
  const queued = spent ? usual.replace('order by', `${freeOf(spent)} order by`) : usual;
  const states = bound.withUncertain ? [queued, selectUncertain] : [queued];
  // Two ordered ranges of one index, merged here.
  return states
    .flatMap((sql) => db.statement(sql).all({ to, count, now }) as { seq: number }[])
    .sort((a, b) => a.seq - b.seq)
    .slice(0, count);
}

export function countInbox(db: Connection, to: string): Partial<Record<MessageState, number>> {
  const rows = db.statement(selectCounts).all({ to }) as { state: MessageState; n: number }[];
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

/**
 * Neither held by one of these budgets nor quiet (rule 21); `delivery/budgets.ts` says the same of
 * one message.
 */
function freeOf(spent: readonly HoldingBudget[]): string {
  const isUsers = `sender = '${userAgentId}'`;
  const free = [
    'answers_task = 1',
    `${isUsers} and script = 0`,
    ...(spent.includes('wakes') ? [] : [`sender <> '${userAgentId}'`]),
    ...(spent.includes('scripts') ? [] : [`${isUsers} and script = 1`]),
  ];
  return `and quiet = 0 and (${free.join(' or ')})`;
}

const selectQueued = `
  select seq from messages
  where recipient = @to and state = 'queued' and (expires_at is null or expires_at > @now)
  order by seq limit @count`;
const selectUrgent = selectQueued.replace('order by', 'and urgent = 1 order by');
/** As `goesAsPrompt` says of one message. */
const ofStanding = {
  prompt: 'and prompt = 1 and may_repeat = 0',
  notice: 'and not (prompt = 1 and may_repeat = 0)',
} as const;
const selectPrompts = selectQueued.replace('order by', `${ofStanding.prompt} order by`);
const selectUncertain = `
  select seq from messages where recipient = @to and state = 'uncertain' and @now is not null
  order by seq limit @count`;
const selectOutline = `
  select
    exists (${selectQueued.replace('@count', '1')}) as queued,
    exists (${selectQueued.replace('order by', 'and quiet = 0 order by').replace('@count', '1')}) as waking,
    exists (${selectUrgent.replace('@count', '1')}) as urgent,
    exists (${selectPrompts.replace('@count', '1')}) as prompt,
    exists (select 1 from messages
      where recipient = @to and state = 'queued' and expires_at is not null) as timed,
    exists (select 1 from messages
      where recipient = @to and state = 'queued' and expires_at is not null and expires_at <= @now) as overdue,
    exists (select 1 from claims where recipient = @to and ended_at is null) as claimed,
    exists (select 1 from messages where recipient = @to and state = 'injected' and is_end = 0) as open,
    exists (select 1 from messages where recipient = @to and state = 'uncertain') as uncertain,
    exists (select 1 from debts where debtor = @to and ended_at is null) as owes`;
const selectCounts = `
  select state, count(*) as n from messages where recipient = @to and state = 'queued'
  union all
  select state, count(*) as n from messages where recipient = @to and state = 'claimed'
  union all
  select state, count(*) as n from messages where recipient = @to and state = 'injected'
  union all
  select state, count(*) as n from messages where recipient = @to and state = 'uncertain'
  union all
  select 'dead' as state, count(*) as n from messages
  where recipient = @to and state = 'dead' and discarded_at is null`;
