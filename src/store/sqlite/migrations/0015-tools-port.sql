-- The port of loopback on which a life was given its tools; null: they come over stdio. Its token is good on no other port.
alter table epochs add column tools_port integer;
-- When another program was found to hold that port: it may have read the token, which is good on no port since.
alter table epochs add column tools_lost_at integer;
