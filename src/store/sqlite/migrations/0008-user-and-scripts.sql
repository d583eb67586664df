-- Sent by a script of the user, not at a terminal: it has a budget of its own (rule 21). Older messages count as the user's.
alter table messages add column script integer not null default 0;
-- The user removed it: what dies with it needs no attention of the user (rule 35).
alter table agents add column removed_by_user integer not null default 0;
