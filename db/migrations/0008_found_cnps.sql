-- The CNPs in a file's text are found at inspection; rare states have partial indexes.

alter table file
  -- Null where the file has no text, or was inspected before its CNPs were kept.
  add cnps jsonb;

-- Read at each start of a server and once an hour: nearly always empty.
create index upload_checking on upload (state_since) where state = 'checking';
create index message_queued on message (created_at) where state = 'queued';
