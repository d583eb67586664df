-- Of a completion: tasks of its recipient that this turn held and did not answer, as a JSON array (rule 30).
alter table messages add column owes text;
