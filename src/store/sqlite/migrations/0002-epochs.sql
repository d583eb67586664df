-- The lives of agents in terminals of ours. `terminal` is the backend's own identity of it, opaque here; argv and extra_args
-- are JSON lists. An agent's environment is never written down.

create table epochs (
  agent text not null,
  epoch integer not null,
  backend text not null,
  provider text not null,
  provider_version text,
  terminal text,
  argv text not null,
  extra_args text not null,
  model text,
  conversation text,
  token_hash text not null,
  started_at integer not null,
  ended_at integer,
  exit_code integer,
  exit_signal text,
  end_cause text,
  primary key (agent, epoch)
) without rowid;

create index epochs_open on epochs (agent) where ended_at is null;
create unique index epochs_token on epochs (token_hash);
