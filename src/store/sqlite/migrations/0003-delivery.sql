-- What delivery writes down while it acts and waits for proof.

-- How far the act got (rule 12): null before it began; `begun`, then for a paste `pasted` and `entered`.
alter table claims add column step text;
-- What the CLI calls it, where it gives a name back.
alter table claims add column receipt text;
-- A hook told that text with this mark was submitted; it proves nothing by itself.
alter table claims add column submitted integer not null default 0;
-- The CLI keeps it behind the turn that was running when it was taken.
alter table claims add column behind_turn integer not null default 0;

-- Named in one line instead of written out (rule 13), and when its body was handed out after all.
alter table attempts add column pointer integer not null default 0;
alter table attempts add column handed_out_at integer;
-- The turn whose completion answers for it (rule 27).
alter table attempts add column turn text;

-- It went back to `queued` after `seen`, which may happen once (rule 9).
alter table messages add column taken_back integer not null default 0;

-- Budgets of consecutive blocks and of wakes (rules 19, 21).
create table budgets (
  agent text not null,
  kind text not null,
  used integer not null,
  since integer not null,
  primary key (agent, kind)
) without rowid;

-- The last stop of each agent's last turn, so that the same one is never counted twice (rule 26).
create table stops (
  agent text primary key,
  session text not null,
  turn text not null,
  n integer not null,
  digest text not null,
  at integer not null
) without rowid;

-- Which of a life's messages have entered its conversation is asked at every turn's end.
create index claims_life on claims (recipient, epoch) where epoch > 0;
