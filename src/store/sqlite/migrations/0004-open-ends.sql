-- What is asked at every look at an agent must not grow with what it was ever given.

-- `injected` is the end of a message that went in without any proof to be had (rule 8), unless its body is still to be asked
-- for (rule 13): then nobody waits for more.
alter table messages add column is_end integer not null default 0;
update messages set is_end = 1
where state = 'injected'
  and exists (select 1 from claims where claims.token = messages.token and provable = 0)
  and not exists (
    select 1 from attempts where message = messages.seq and attempts.token = messages.token and pointer = 1);
create index messages_open on messages (recipient, token) where state = 'injected' and is_end = 0;
create index messages_urgent on messages (recipient, seq) where state = 'queued' and urgent = 1;
-- Read in the conversation that the agent has now.
create index messages_in_context on messages (recipient) where state = 'seen' and in_context = 1;

-- Of which life an attempt is, until a turn has answered for it.
alter table attempts add column recipient text;
alter table attempts add column epoch integer;
update attempts set
  recipient = (select recipient from claims where claims.token = attempts.token),
  epoch = (select epoch from claims where claims.token = attempts.token)
where turn is null;
create index attempts_unanswered on attempts (recipient, epoch) where turn is null;
drop index claims_life;
