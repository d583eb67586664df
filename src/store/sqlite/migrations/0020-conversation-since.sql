-- When another conversation was left for this one (`/clear`, `/new`, `/resume`): what was written before is old. Null: it was not, or an
-- earlier version noted it.
alter table epochs add column conversation_since integer;
