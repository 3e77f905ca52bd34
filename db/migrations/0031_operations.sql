-- One change for many uploads: what was asked for, and what became of each upload.

create table operation (
  id uuid primary key,
  -- For people.
  number integer not null generated always as identity unique,
  created_by uuid not null references app_user,
  kind text not null check (kind in ('category', 'institution', 'title', 'release', 'return', 'withdraw')),
  -- {"categorySlug", "institutionId", "title", "reason"}, those of the kind.
  parameters jsonb not null,
  state text not null
    check (state in ('planning', 'planned', 'running', 'done', 'cancelled', 'undoing', 'undone')),
  total integer not null,
  -- [{"outcome", "reason", "message", "count"}], as they were when the job last wrote them.
  counts jsonb not null default '[]',
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- Counts the changes of the state.
  version integer not null default 1
);
create index operation_of_author on operation (created_by, created_at desc, id desc);
create index operation_newest on operation (created_at desc, id desc);
create index operation_unfinished on operation (id) where state in ('planning', 'running', 'undoing');

grant select, insert, update, delete on operation to dosar_staff;
alter table operation enable row level security;
create policy staff on operation to dosar_staff using (true) with check (true);

create table operation_item (
  operation_id uuid not null references operation on delete cascade,
  position integer not null,
  -- Null: there is no such upload, or the author may not read it.
  upload_id uuid references upload,
  -- Of the upload, or as it was asked for.
  number bigint,
  -- Of the upload, when it was planned. A change since then is an exception.
  version integer,
  outcome text not null default 'waiting'
    check (outcome in ('waiting', 'will_change', 'will_not', 'changed', 'failed', 'undone', 'not_undone')),
  reason text,
  -- In Romanian.
  message text,
  -- What the undo restores: {"state", "value"}.
  before jsonb,
  after_version integer,
  primary key (operation_id, position)
);
create index operation_item_outcome on operation_item (operation_id, outcome, position);

grant select, insert, update, delete on operation_item to dosar_staff;
alter table operation_item enable row level security;
create policy staff on operation_item to dosar_staff using (true) with check (true);
