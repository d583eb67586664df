-- By which call of an agent's MCP client a body was handed out: only a further call on the same line takes it (rule 17). Null for
-- what a command printed.
alter table attempts add column line text;
alter table handed_parts add column line text;
-- So many tries before this one, cut off like it, whose rows are not kept.
alter table attempts add column folded integer not null default 0;
