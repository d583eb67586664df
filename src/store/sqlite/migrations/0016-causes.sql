-- Why a message moved, as a code, and the claim that it was about: the words of a cause are for people. Null in rows from before, and in
-- the first row of each message.
alter table history add column code text;
alter table history add column token integer;
-- The one cause that was read as such, of messages that are still asked for it.
update history set code = 'unconfirmed' where cause = 'sent, unconfirmed' and to_state = 'injected'
  and message in (select seq from messages where state = 'injected' and is_end = 1);
