-- Whether it is to arrive as a prompt, with the standing of a person at the keyboard (rule 51). Older messages are notices.
alter table messages add column prompt integer not null default 0;
-- As what it was last carried; null: by nobody yet, or by an earlier version.
alter table messages add column carried_as text;
