-- Workers end with their tasks and come back. With what an agent ends by itself: 'task', 'rest'. Null: with nothing, as before.
alter table agents add column ends_with text;
-- Who or what ended its last life: 'task', 'rest', 'parent', 'person'. Null: it runs, its process ended by itself, or an earlier version ended it.
alter table agents add column ended_by text;
-- The agent whose word brings it back; it is started again as long as this stands. Null: nobody's.
alter table agents add column called_by text;
-- Tasks that go on in the background of its CLI, as the end of its last turn told. Null: the CLI tells nothing of them.
alter table agents add column background integer;
-- When the tasks of an agent ended: asked for while it is at rest.
create index debts_ended on debts (debtor, ended_at) where ended_at is not null;
