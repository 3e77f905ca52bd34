-- A released upload that was moved to another patient: its incident record, and the institutions that are asked to delete
-- what they have.

create table incident (
  id uuid primary key,
  -- For people. Only staff read it.
  number integer not null generated always as identity unique,
  upload_id uuid not null references upload,
  former_patient_id uuid not null references patient,
  patient_id uuid not null references patient,
  former_institution_id uuid references institution,
  -- As the upload was while it was released.
  category text,
  file_count integer not null,
  released_at timestamptz(3) not null,
  moved_at timestamptz(3) not null,
  moved_by uuid not null references app_user,
  reason text not null,
  -- The 72 hours begin here.
  discovered_at timestamptz(3) not null,
  -- Who had opened it: [{"userId", "name", "institutionId", "institutionName", "acts": [{"kind", "firstAt", "lastAt"}]}].
  openings jsonb not null,
  -- Null: not decided yet.
  authority text check (authority in ('notified', 'not-needed')),
  authority_at timestamptz(3),
  persons text check (persons in ('notified', 'not-needed')),
  persons_at timestamptz(3),
  closed_at timestamptz(3),
  closed_by uuid references app_user,
  closed_reason text,
  version integer not null default 1,
  check ((authority is null) = (authority_at is null)),
  check ((persons is null) = (persons_at is null)),
  check ((closed_at is null) = (closed_reason is null) and (closed_at is null) = (closed_by is null))
);
create index incident_newest on incident (moved_at desc, id desc);
create index incident_open on incident (moved_at desc, id desc) where closed_at is null;
create index incident_of_upload on incident (upload_id, moved_at desc);

grant select, insert, update, delete on incident to dosar_staff;
alter table incident enable row level security;
create policy staff on incident to dosar_staff using (true) with check (true);

create table incident_note (
  id uuid primary key,
  incident_id uuid not null references incident,
  text text not null,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null
);
create index incident_note_of_incident on incident_note (incident_id, created_at);

grant select, insert, update, delete on incident_note to dosar_staff;
alter table incident_note enable row level security;
create policy staff on incident_note to dosar_staff using (true) with check (true);

-- Read by the institution itself: nothing of the patient, and of the result only its number and the day of its release.
create table deletion_request (
  id uuid primary key,
  incident_id uuid not null references incident,
  institution_id uuid not null references institution,
  upload_number integer not null,
  released_at timestamptz(3) not null,
  -- To how many accounts a mail was sent.
  mailed integer not null,
  created_at timestamptz(3) not null,
  answered_at timestamptz(3),
  answered_by uuid references app_user,
  unique (incident_id, institution_id),
  check ((answered_at is null) = (answered_by is null))
);
create index deletion_request_of_institution on deletion_request (institution_id, created_at desc);

grant select, insert, update, delete on deletion_request to dosar_staff;
alter table deletion_request enable row level security;
create policy staff on deletion_request to dosar_staff using (true) with check (true);
create policy guest_read on deletion_request for select to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]));
-- The first answer stays.
create policy guest_answer on deletion_request for update to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]) and answered_at is null)
  with check (institution_id = any((select guest_institutions())::uuid[])
    and exists (select from user_institution
      where user_institution.user_id = deletion_request.answered_by
        and user_institution.institution_id = deletion_request.institution_id));
grant select (id, institution_id, upload_number, released_at, created_at, answered_at, answered_by) on deletion_request to dosar_guest;
grant update (answered_at, answered_by) on deletion_request to dosar_guest;
