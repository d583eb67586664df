-- How far a long body was handed out, part by part, in each life of its recipient (rules 13, 17). `hold` is JSON: the process that
-- hands a part out, while it is `out`.
create table handed_parts (
  message integer not null,
  epoch integer not null,
  part integer not null,
  state text not null check (state in ('out', 'handed', 'uncertain')),
  hold text,
  primary key (message, epoch, part)
) without rowid;
