-- How the turn ended: a CLI may drop the prompt of a turn that was interrupted or failed, and the next turn does not know what stood
-- in it. Null: an earlier version told this stop.
alter table turn_ends add column outcome text;
