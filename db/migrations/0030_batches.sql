-- Many files at once: a batch is a drop of files, whose groups are drafts of uploads.

create table batch (
  id uuid primary key,
  number bigint generated always as identity unique,
  -- Such as the name of the folder.
  name text not null,
  -- `integration`: kept for programs that send files.
  source text not null default 'person' check (source in ('person', 'integration')),
  created_by uuid not null references app_user,
  -- Raised with each change of its proposals.
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  closed_at timestamptz(3)
);
create index batch_newest on batch (created_by, created_at desc, id desc);

alter table upload
  add batch_id uuid references batch,
  -- By what the sender recognises the file that the draft was created for; null if people have made the group.
  add batch_key text check (batch_key is null or batch_id is not null),
  -- When an upload of a batch was submitted; null while it is a group of the batch.
  add filed_at timestamptz(3) check (filed_at is null or batch_id is not null);
create unique index upload_announced on upload (batch_id, batch_key) where batch_key is not null;
create index upload_unfiled on upload (created_at) where batch_id is not null and filed_at is null;
create index upload_by_batch on upload (batch_id, created_at, id) where batch_id is not null;
-- The dashboard counts without groups, from the indexes alone.
drop index upload_by_state;
create index upload_by_state on upload (state, state_since, id) include (batch_id, filed_at) where deleted_at is null;
drop index upload_newest;
create index upload_newest on upload (created_at desc, id desc) include (batch_id, filed_at) where deleted_at is null;

-- What the files of a group propose for it, until a person confirms it. Written by the job that groups them.
create table batch_proposal (
  upload_id uuid primary key references upload on delete cascade,
  -- The version of the upload, and of the batch, with this proposal.
  upload_version integer not null,
  batch_version integer not null,
  confidence text not null check (confidence in ('sure', 'likely', 'none', 'conflict')),
  -- The only patient; null if there is none, or several are possible.
  patient_id uuid references patient,
  -- The patients with their reasons: [{"id": …, "reasons": [{"what": "cnp", "place": {"in": "text", "page": 1}}]}].
  patients jsonb not null default '[]',
  institution_id uuid references institution,
  category_slug text collate "C",
  title text,
  examined_on date,
  accession_number text,
  doctor text,
  -- Groups with the same key become one; null if it is not known what it would be.
  group_key text,
  -- A person has made or changed the group: it joins no other, and none joins it.
  is_fixed boolean not null,
  is_duplicate boolean not null,
  -- The uploads that have a file of this one.
  duplicate_ids uuid[] not null default '{}',
  is_unreadable boolean not null,
  is_refused boolean not null,
  -- Whether it can be filed with all others that are sure.
  is_ready boolean not null generated always as (
    confidence = 'sure' and patient_id is not null and institution_id is not null and category_slug is not null
      and not is_duplicate and not is_unreadable and not is_refused) stored
);
create index batch_proposal_by_key on batch_proposal (group_key) where group_key is not null;
create index batch_proposal_by_patient on batch_proposal (patient_id) where patient_id is not null;

grant select, insert, update, delete on batch, batch_proposal to dosar_staff;
alter table batch enable row level security;
alter table batch_proposal enable row level security;
create policy staff on batch to dosar_staff using (true) with check (true);
create policy staff on batch_proposal to dosar_staff using (true) with check (true);
