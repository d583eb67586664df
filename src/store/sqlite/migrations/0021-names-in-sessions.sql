-- A name belongs to one living agent of its session, and no longer to one of the whole ledger. Names that were unique in the ledger are
-- so in their sessions. Numbers of messages still belong to the name: whichever agent has it, no short id means two messages.
drop index agents_living_name;
create unique index agents_living_name on agents (name, session) where removed_at is null;
-- The project that a session follows, by the folder of its main working tree. Sessions that somebody named have no row.
create table sessions (
  name text primary key,
  root text not null unique
) without rowid;
