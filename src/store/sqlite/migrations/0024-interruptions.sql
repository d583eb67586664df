-- Ends of turns that the user asked for (rule 54): who, from where, and what came of it. Written before the act ('pressing').
create table interruptions (
  id text primary key,
  agent text not null,
  epoch integer not null,
  outcome text not null,
  reason text,
  way text,
  presses integer not null,
  -- The user, and for the user at a terminal the account and the terminal.
  by text not null,
  who text,
  place text not null,
  -- What the turn may have held: ids with a blank between them.
  messages text not null,
  at integer not null,
  settled_at integer
) without rowid;

create index interruptions_agent on interruptions (agent, at);
create index interruptions_at on interruptions (at);
