-- Integrations send large documents over tus, as users send files: a transfer is of a user, to an upload, or of an integration,
-- whose document has no upload before it is whole.
alter table transfer
  alter upload_id drop not null,
  alter user_id drop not null,
  add integration_id uuid references integration,
  add constraint transfer_sender check (
    (integration_id is null and upload_id is not null and user_id is not null)
    or (integration_id is not null and upload_id is null and user_id is null)
  );
create index transfer_of_integrations on transfer (integration_id) where state = 'receiving' and integration_id is not null;
