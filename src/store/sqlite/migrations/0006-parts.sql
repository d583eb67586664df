-- How many more waited when a batch was taken: its text says so, and must be the same when it is written again (rules 12, 13).
alter table claims add column others integer not null default 0;
