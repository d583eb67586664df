-- `injected` without any proof to be had is an end (rule 8), and follows retention like the others: it was kept for ever before.
create index messages_unconfirmed on messages (created_at) where state = 'injected' and is_end = 1;
