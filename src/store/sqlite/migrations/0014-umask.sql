-- Under which umask the programs of a life start: its launcher's. Null for lives from before it was kept.
alter table epochs add column umask integer;
