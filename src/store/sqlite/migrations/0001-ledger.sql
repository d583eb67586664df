-- The first schema. Times are wall milliseconds unless the column says otherwise. States are repeated as literals in the
-- partial indexes: SQLite uses such an index only when the query spells the same term.

create table meta (
  name text primary key,
  value text not null
) without rowid;

create table agents (
  id text primary key,
  name text not null,
  session text not null,
  provider text not null,
  backend text not null,
  epoch integer not null,
  status text not null,
  detail text,
  source text not null,
  since integer not null,
  parent text,
  notify integer not null,
  cwd text not null,
  created_at integer not null,
  removed_at integer,
  inbox_settled integer not null default 0
) without rowid;

create unique index agents_living_name on agents (name) where removed_at is null;
create index agents_parent on agents (parent) where removed_at is null;
create index agents_unsettled on agents (id) where removed_at is not null and inbox_settled = 0;

create table messages (
  seq integer primary key,
  id text not null unique,
  kind text not null,
  sender text not null,
  recipient text not null,
  state text not null check (state in
    ('queued', 'claimed', 'injected', 'seen', 'acked', 'uncertain', 'superseded', 'expired', 'dead')),
  truncated integer not null,
  urgent integer not null,
  created_at integer not null,
  expires_at integer,
  reply_to text,
  answers_task integer not null,
  key text,
  attempts integer not null default 0,
  not_landed integer not null default 0,
  reoffered integer not null default 0,
  may_repeat integer not null default 0,
  in_context integer,
  outcome text,
  reason text,
  turn text,
  child text,
  token integer,
  discarded_at integer,
  settled_at integer,
  body text not null
);

-- Bodies over 2 KiB, which would otherwise be written again with every change of their message's state.
create table bodies (
  message integer primary key,
  body text not null
);

create unique index messages_key on messages (sender, key) where key is not null;
create index messages_inbox on messages (recipient, state, seq)
  where state = 'queued' or state = 'claimed' or state = 'injected' or state = 'uncertain';
create index messages_dead on messages (recipient, seq) where state = 'dead' or state = 'expired';
create index messages_expiry on messages (recipient, expires_at)
  where state = 'queued' and expires_at is not null;
create index messages_completions on messages (child, recipient, seq) where kind = 'completion';
create index messages_settled on messages (settled_at) where settled_at is not null;

create table history (
  message integer not null,
  n integer not null,
  at integer not null,
  from_state text,
  to_state text not null,
  cause text not null,
  evidence text,
  primary key (message, n)
) without rowid;

create table claims (
  token integer primary key,
  recipient text not null,
  route text not null,
  epoch integer not null,
  mark text not null unique,
  provable integer not null,
  host text not null,
  boot text not null,
  pid_space text not null,
  pid integer not null,
  process_started text not null,
  at integer not null,
  taken_at_ms integer not null,
  lease_ms integer not null,
  ended_at integer
);

create index claims_live on claims (recipient) where ended_at is null;
-- Rule 1, kept by the engine itself: one live claim per recipient that puts text into its conversation.
create unique index claims_injecting on claims (recipient) where ended_at is null and route <> 'pull';

create table attempts (
  message integer not null,
  token integer not null,
  outcome text not null,
  primary key (message, token)
) without rowid;

create index attempts_token on attempts (token);
