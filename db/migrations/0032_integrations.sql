-- Programs that send results: each is an actor of its own, without an account, a session or a person's permissions.

create table integration (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('folder', 'program')),
  key_hash bytea not null unique,
  -- The last characters of the key, by which users distinguish keys.
  hint text not null,
  -- For results that name no institution or category.
  institution_id uuid references institution,
  category_slug text collate "C",
  -- IP addresses and networks that it may send from; empty: all.
  addresses text[] not null default '{}',
  -- Sure results go to review without a person.
  submits_to_review boolean not null default false,
  version integer not null default 1,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);

alter table batch
  alter created_by drop not null,
  add integration_id uuid references integration,
  add constraint batch_author check (num_nonnulls(created_by, integration_id) = 1),
  add constraint batch_source check ((source = 'integration') = (integration_id is not null));
create index batch_of_integrations on batch (created_at desc, id desc) where integration_id is not null;

alter table upload
  -- Null: a program has sent it, and no person has filed it.
  alter created_by drop not null,
  add integration_id uuid references integration,
  add constraint upload_author check (created_by is not null or integration_id is not null);

-- A document that an integration has sent, by the key of the integration: the same key is answered from here.
create table intake (
  id uuid primary key,
  integration_id uuid not null references integration,
  key text collate "C" not null,
  sha256 bytea not null,
  size bigint not null,
  -- What the integration states of the document (`IntakeFacts`); null once the file was purged.
  facts jsonb,
  -- The upload that it came to at first; the file may be in another one now.
  upload_id uuid not null references upload,
  file_id uuid not null unique references file,
  created_at timestamptz(3) not null default now(),
  unique (integration_id, key)
);

grant select, insert, update, delete on integration, intake to dosar_staff;
alter table integration enable row level security;
alter table intake enable row level security;
create policy staff on integration to dosar_staff using (true) with check (true);
create policy staff on intake to dosar_staff using (true) with check (true);
