-- Of a completion: tasks of its recipient that this turn held and did not answer, as a JSON array (rule 30).
alter table messages add column owes text;
-- Which call of a hook told of a turn's end: the same call may tell it twice (rule 26).
alter table turn_ends add column report text;
