-- Categories, uploads with their files, unfinished transfers, reviews, and openings of results.

create table category (
  id uuid primary key,
  slug text collate "C" not null unique,
  name text not null,
  icon text not null,
  color text not null,
  position integer not null
);

create table upload (
  id uuid primary key,
  number bigint generated always as identity (start with 100001) unique,
  patient_id uuid references patient,
  institution_id uuid references institution,
  category_slug text collate "C",
  title text not null,
  examined_on date,
  accession_number text,
  referring_doctor text,
  note text,
  source text not null check (source in ('staff', 'institution', 'bulk')),
  state text not null check (state in (
    'receiving', 'checking', 'quarantined', 'unassigned', 'in_review', 'accepted', 'released', 'rejected', 'replaced', 'withdrawn'
  )),
  -- When the upload came into this state: the waiting time of an upload in review.
  state_since timestamptz(3) not null default now(),
  released_at timestamptz(3),
  replaces_id uuid references upload,
  revision integer not null default 1,
  created_by uuid not null references app_user,
  deleted_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index upload_by_state on upload (state, state_since, id) where deleted_at is null;
create index upload_newest on upload (created_at desc, id desc) where deleted_at is null;
create index upload_by_patient on upload (patient_id, created_at desc, id desc) where deleted_at is null;
create index upload_released on upload (institution_id, released_at desc, id desc) where state = 'released' and deleted_at is null;
create index upload_receiving on upload (created_at) where state = 'receiving';

create table file (
  id uuid primary key,
  upload_id uuid not null references upload,
  position integer not null,
  name text not null,
  type text not null,
  kind text not null check (kind in ('pdf', 'image', 'zip', 'dicom', 'other')),
  size bigint not null,
  sha256 bytea not null,
  storage_key text collate "C" not null unique,
  page_count integer,
  -- Details from the bytes: entries of a ZIP, pixels of an image, tags of a DICOM.
  facts jsonb not null default '{}',
  content_text text,
  scan_result text not null default 'pending' check (scan_result in ('pending', 'clean', 'refused')),
  removed_at timestamptz(3),
  removed_by uuid references app_user,
  removed_reason text,
  created_at timestamptz(3) not null default now(),
  unique (upload_id, position)
);
create index file_by_sha256 on file (sha256);

-- A file that is being sent over tus. The row, not a file beside the bytes, has its user and its offset.
create table transfer (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{32}$'),
  upload_id uuid not null references upload,
  user_id uuid not null references app_user,
  name text not null,
  size bigint not null,
  sha256 bytea not null,
  received bigint not null default 0,
  state text not null check (state in ('receiving', 'finished', 'cancelled')),
  file_id uuid references file,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index transfer_by_upload on transfer (upload_id);
create index transfer_unfinished on transfer (user_id, updated_at) where state = 'receiving';

create table review (
  id uuid primary key,
  upload_id uuid not null references upload,
  round integer not null,
  reviewer_id uuid not null references app_user,
  verdict text not null check (verdict in ('accepted', 'rejected')),
  reason_code text,
  comment text,
  -- The mismatches of the cross-check at the verdict, which accepted the upload in spite of them.
  checks jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  unique (upload_id, round)
);

-- A result without a row is unread.
create table upload_opening (
  upload_id uuid not null references upload,
  user_id uuid not null references app_user,
  opened_at timestamptz(3) not null default now(),
  downloaded_at timestamptz(3),
  primary key (upload_id, user_id)
);
