-- Administration: versions of the settings and their pictures, the policy of each category, the chain of the audit log and
-- its order in time.

-- One row: the number of saves of the settings, so that a client can name the settings that it changed.
create table site_version (
  singleton boolean primary key default true check (singleton),
  version integer not null default 1,
  saved_by uuid references app_user,
  saved_at timestamptz(3)
);
insert into site_version default values;

-- Pictures of the organisation, re-encoded by the server. The setting with the name of the kind has the address of the
-- picture that is shown; any other picture waits for the settings to be saved, or is deleted.
create table site_image (
  -- Random, new for each picture, so that an address always shows one picture and can be cached for ever.
  key text collate "C" primary key,
  kind text not null check (kind in ('logo', 'logo_navigation', 'favicon')),
  type text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now()
);

alter table category
  -- If false, an upload with a patient is accepted once its files are checked.
  add review_required boolean not null default true,
  -- The number of different reviewers who must accept an upload.
  add reviewers smallint not null default 1 check (reviewers between 1 and 2),
  add release text not null default 'at_once' check (release in ('at_once', 'after_hours', 'by_hand')),
  add release_hours smallint check (release_hours between 1 and 720),
  add visible_to_patients boolean not null default true,
  -- Null: kept permanently.
  add retention_years smallint check (retention_years between 1 and 100),
  add check ((release = 'after_hours') = (release_hours is not null));

-- The new slug of a slug that was removed from the list: filters and links with the old slug still work.
create table category_slug_change (
  old_slug text collate "C" primary key,
  new_slug text collate "C" not null,
  changed_by uuid references app_user,
  changed_at timestamptz(3) not null default now()
);

alter table upload
  -- When an accepted upload is released automatically.
  add release_at timestamptz(3);
-- Includes uploads in the bin, which move with their category too.
create index upload_by_category on upload (category_slug, id) where category_slug is not null;
create index upload_to_release on upload (release_at) where state = 'accepted' and release_at is not null;
-- The bin, for the retention terms of the categories.
create index upload_in_bin on upload (deleted_at) where deleted_at is not null;

alter table review
  -- Null: accepted by the product, by the policy of the category.
  alter reviewer_id drop not null,
  -- The version of the upload for which a first of two acceptances counts. A change of the upload moves its version and
  -- makes the acceptance void. Null: the verdict decided.
  add first_of_version integer;
create unique index review_first on review (upload_id, first_of_version) where first_of_version is not null;

alter table file
  -- When the bytes were deleted; until then a removed file can be restored.
  add purged_at timestamptz(3);
create index file_to_purge on file (removed_at) where removed_at is not null and purged_at is null;

-- The audit log is read by time.
create index audit_event_by_time on audit_event (at desc, id desc);
drop index audit_event_by_actor;
create index audit_event_by_actor on audit_event (actor_id, at desc, id desc);
drop index audit_event_by_patient;
create index audit_event_by_patient on audit_event (patient_id, at desc, id desc) where patient_id is not null;
drop index audit_event_by_action;
create index audit_event_by_action on audit_event (action, at desc, id desc);
create index audit_event_not_ok on audit_event (outcome, at desc, id desc) where outcome <> 'ok';

-- Names the table in its error, since it protects more than one.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- One row for each audit entry, in the order of the chain: the hash covers the entry and the previous hash, with a key that
-- the database does not have.
create table audit_seal (
  position bigint primary key,
  event_id bigint not null unique references audit_event,
  hash bytea not null
);
create trigger audit_seal_append_only before update or delete or truncate on audit_seal
  for each statement execute function refuse_audit_change();

-- Unchained entries. Written together with the entry, so that none is missed, whichever transaction ends first.
create table audit_unsealed (event_id bigint primary key);
create function await_audit_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (event_id) values (new.id);
  return null;
end $$;
create trigger audit_event_awaits_seal after insert on audit_event
  for each row execute function await_audit_seal();
insert into audit_unsealed (event_id) select id from audit_event;

-- Every verification of the chain, and its result.
create table audit_verification (
  id uuid primary key,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  checked bigint not null,
  -- The faults with their entries; empty where there are none.
  faults jsonb not null default '[]',
  -- Null: the nightly job.
  asked_by uuid references app_user
);
create index audit_verification_newest on audit_verification (started_at desc, id desc);
create trigger audit_verification_append_only before update or delete or truncate on audit_verification
  for each statement execute function refuse_audit_change();
