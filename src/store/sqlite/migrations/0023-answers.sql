-- Answers to what CLIs asked a person (rule 54): who decided what, from where, and what came of it. Written before the act ('deciding').
create table answers (
  id text primary key,
  agent text not null,
  epoch integer not null,
  question text not null,
  asks text not null,
  -- What was shown, or its beginning; `question` is bound to all of it.
  text text not null,
  decision text not null,
  outcome text not null,
  reason text,
  -- The user or the supervisor that decided, and for the user at a terminal the account and the terminal.
  by text not null,
  who text,
  place text not null,
  at integer not null,
  settled_at integer
) without rowid;

create index answers_agent on answers (agent, at);
create index answers_at on answers (at);
