-- Each message has a number in its inbox, by which people and models name it. The counter belongs to the recipient's name: of two
-- agents that had one name, one after the other, no number means two messages. Null: an older daemon that still ran accepted it.
alter table messages add column number integer;
create table numbers (
  name text primary key,
  last integer not null
) without rowid;
update messages set number = ordered.n from (
  select seq, row_number() over (
    partition by coalesce((select 'name ' || name from agents where agents.id = recipient), recipient) order by seq) as n
  from messages) as ordered
where ordered.seq = messages.seq;
insert into numbers (name, last)
  select agents.name, max(messages.number) from messages join agents on agents.id = messages.recipient group by agents.name;
create index messages_number on messages (number);
