-- What agents are to each other: what they were launched as, and what they owe.

-- JSON: profile, instructions, permission … of an agent, so that a restart asks for the same. Never its environment.
alter table agents add column role text;
-- JSON: the git worktree that was made for it.
alter table agents add column worktree text;

-- A completion whose answer was already given in words: it goes along with other mail, and wakes nobody (rule 30).
alter table messages add column quiet integer not null default 0;
create index messages_waking on messages (recipient, seq) where state = 'queued' and quiet = 0;

-- A task that was given and not answered yet (rules 30, 31). The waiter is the process whose caller waits for the answer.
create table debts (
  task text primary key,
  debtor text not null,
  creditor text not null,
  given_at integer not null,
  ended_at integer,
  end text,
  ended_by text,
  reminded_at integer,
  told_at integer,
  told_by text,
  asked_by text,
  waiter text
) without rowid;

create index debts_debtor on debts (debtor, given_at) where ended_at is null;
create index debts_creditor on debts (creditor, given_at) where ended_at is null;

-- One-shot commands under `run-task` (rule 32): who runs them, on disk before they begin.
create table runs (
  agent text primary key,
  title text not null,
  host text not null,
  boot text not null,
  pid_space text not null,
  pid integer not null,
  process_started text not null,
  started_at integer not null,
  ended_at integer,
  completion text
) without rowid;

create index runs_open on runs (agent) where ended_at is null;
