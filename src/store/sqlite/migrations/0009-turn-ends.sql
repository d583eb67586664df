-- Every end of a turn that was ever told, for good: a CLI, a hook or a later daemon may tell it again, and it must not answer
-- what entered since (rule 26). One stop per agent was remembered before.
create table turn_ends (
  id integer primary key,
  agent text not null,
  session text not null,
  turn text not null,
  n integer not null,
  digest text not null,
  at integer not null,
  -- Told by another source than the authority for turn ends, which was silent.
  stand_in integer not null default 0
);
create unique index turn_ends_name on turn_ends (agent, session, turn, n);
-- Completions name their turns; the last stop of each agent comes last, with what it was known by.
insert into turn_ends (agent, session, turn, n, digest, at)
  select child, substr(turn, 1, instr(turn, '/') - 1),
    substr(turn, instr(turn, '/') + 1, length(turn) - instr(turn, '/') - 2), 1, '', min(created_at)
  from messages
  where kind = 'completion' and turn like '%/%/1' and child in (select id from agents where removed_at is null)
  group by child, turn
  order by min(seq);
insert or replace into turn_ends (agent, session, turn, n, digest, at)
  select agent, session, turn, n, digest, at from stops;
-- `stops` stays: a daemon of the version before may still run on this ledger when a newer command brings it here, and would lose the
-- ends of turns without it.
