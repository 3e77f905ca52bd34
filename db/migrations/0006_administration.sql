-- Keeping the house: versions of the settings and their pictures, how each category is handled, the journal's seals and
-- its order in time.

-- One row: counts the savings of the settings, so that a client can say which settings it changed.
create table site_version (
  singleton boolean primary key default true check (singleton),
  version integer not null default 1,
  saved_by uuid references app_user,
  saved_at timestamptz(3)
);
insert into site_version default values;

-- Pictures of the organisation as they were drawn anew here. The setting of that kind's name holds the address of the one
-- that is shown; another one waits for the settings to be saved, or is swept away.
create table site_image (
  -- Random, new for each picture: an address that is kept for ever never shows another one.
  key text collate "C" primary key,
  kind text not null check (kind in ('logo', 'logo_navigation', 'favicon')),
  type text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now()
);

alter table category
  -- Without it, what is filed for a patient is accepted as soon as its files are in order.
  add review_required boolean not null default true,
  -- How many different people must accept it.
  add reviewers smallint not null default 1 check (reviewers between 1 and 2),
  add release text not null default 'at_once' check (release in ('at_once', 'after_hours', 'by_hand')),
  add release_hours smallint check (release_hours between 1 and 720),
  add visible_to_patients boolean not null default true,
  -- Never removed where null.
  add retention_years smallint check (retention_years between 1 and 100),
  add check ((release = 'after_hours') = (release_hours is not null));

-- Where a slug that is no longer in the list has gone: filters and links that name it go on to work.
create table category_slug_change (
  old_slug text collate "C" primary key,
  new_slug text collate "C" not null,
  changed_by uuid references app_user,
  changed_at timestamptz(3) not null default now()
);

alter table upload
  -- When an accepted one is to be released by itself.
  add release_at timestamptz(3);
-- Also of those in the bin: they move with their category too.
create index upload_by_category on upload (category_slug, id) where category_slug is not null;
create index upload_to_release on upload (release_at) where state = 'accepted' and release_at is not null;
-- The bin, emptied by the term of each category.
create index upload_in_bin on upload (deleted_at) where deleted_at is not null;

alter table review
  -- Null: accepted by the product itself, as the policy of the category says.
  alter reviewer_id drop not null,
  -- Of the first of two acceptances: the version of the upload that it stands for. Whatever changes the upload moves its
  -- version, and the acceptance counts no more. Null: the verdict decided.
  add first_of_version integer;
create unique index review_first on review (upload_id, first_of_version) where first_of_version is not null;

alter table file
  -- When the bytes went too; until then a removed file can be put back.
  add purged_at timestamptz(3);
create index file_to_purge on file (removed_at) where removed_at is not null and purged_at is null;

-- The journal is read by time.
create index audit_event_by_time on audit_event (at desc, id desc);
drop index audit_event_by_actor;
create index audit_event_by_actor on audit_event (actor_id, at desc, id desc);
drop index audit_event_by_patient;
create index audit_event_by_patient on audit_event (patient_id, at desc, id desc) where patient_id is not null;
drop index audit_event_by_action;
create index audit_event_by_action on audit_event (action, at desc, id desc);
create index audit_event_not_ok on audit_event (outcome, at desc, id desc) where outcome <> 'ok';

-- Says of which table it speaks, now that it guards more than one.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- Each entry of the journal once, in the order in which it was linked: the hash is of the entry and of the hash before it,
-- with a key that the database does not have.
create table audit_seal (
  position bigint primary key,
  event_id bigint not null unique references audit_event,
  hash bytea not null
);
create trigger audit_seal_append_only before update or delete or truncate on audit_seal
  for each statement execute function refuse_audit_change();

-- Entries that are not linked yet. Written with the entry, so that none is missed, whichever transaction ends first.
create table audit_unsealed (event_id bigint primary key);
create function await_audit_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (event_id) values (new.id);
  return null;
end $$;
create trigger audit_event_awaits_seal after insert on audit_event
  for each row execute function await_audit_seal();
insert into audit_unsealed (event_id) select id from audit_event;

-- Every reading of the whole chain, and what it found.
create table audit_verification (
  id uuid primary key,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  checked bigint not null,
  -- What is wrong, at which entry; empty where nothing is.
  faults jsonb not null default '[]',
  -- Null: the nightly job.
  asked_by uuid references app_user
);
create index audit_verification_newest on audit_verification (started_at desc, id desc);
create trigger audit_verification_append_only before update or delete or truncate on audit_verification
  for each statement execute function refuse_audit_change();
