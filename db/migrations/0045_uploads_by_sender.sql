-- The queue of what institutions, or integrations, have sent: few among all uploads, so that each state has them in an index.
create index upload_sent_by_institution on upload (state, state_since, id)
  where sender_institution_id is not null and deleted_at is null;
create index upload_sent_by_integration on upload (state, state_since, id)
  where integration_id is not null and deleted_at is null;
