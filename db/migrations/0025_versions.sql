-- New versions of released uploads.

-- Whether the upload, at its release, took the place of one that its institution had received.
alter table upload add column is_update boolean not null default false;

-- One version at a time follows an upload; also finds it.
create unique index upload_following on upload (replaces_id) where replaces_id is not null and state <> 'withdrawn';
