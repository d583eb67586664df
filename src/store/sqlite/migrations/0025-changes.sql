-- What changed, in one order for all processes, so that whoever watches reads what is new in one query, whoever wrote it. Triggers do it:
-- an older process that still runs writes them as well. A number is never used twice, since the newest row always stays. `message` is
-- null where agents came, went or have another parent. It holds numbers alone, and the last 20,000 or so: whoever is further behind
-- looks at everything anew.
create table changes (
  number integer primary key,
  message integer
);

create trigger changes_bounded after insert on changes when new.number % 1024 = 0 begin
  delete from changes where number <= new.number - 20480;
end;

create trigger history_changed after insert on history begin
  insert into changes (message) values (new.message);
end;

create trigger messages_discarded after update of discarded_at on messages when old.discarded_at is not new.discarded_at begin
  insert into changes (message) values (new.seq);
end;

-- The task itself has moved before: only whether its answer is owed is new.
create trigger debts_ended after update of ended_at on debts when old.ended_at is not new.ended_at begin
  insert into changes (message) select seq from messages where id = new.task;
end;

create trigger agents_came after insert on agents begin
  insert into changes (message) values (null);
end;

create trigger agents_changed after update of removed_at, parent on agents
  when old.removed_at is not new.removed_at or old.parent is not new.parent begin
  insert into changes (message) values (null);
end;
