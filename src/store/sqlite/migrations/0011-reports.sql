-- What a debtor told its creditor beside the answer, as a JSON array of ids (rule 31).
alter table debts add column reports text;
-- Of a completion that settles tasks: the same, for its reader.
alter table messages add column reports text;
