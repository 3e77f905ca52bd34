-- What an institution is to know of a result that its users had opened and that was withdrawn or replaced, and when one of
-- them acknowledged it. No row where nobody there had opened it.

create table recall (
  id uuid primary key,
  upload_id uuid not null references upload,
  institution_id uuid not null references institution,
  kind text not null check (kind in ('withdrawn', 'replaced')),
  recalled_at timestamptz(3) not null,
  -- The newest version that took its place; null: it was withdrawn.
  replaced_by uuid references upload,
  -- As the institution had seen it. The name of the patient is read with its own rights.
  patient_id uuid references patient,
  upload_number integer not null,
  title text not null,
  examined_on date,
  released_at timestamptz(3) not null,
  -- What the institution's own users did with it: [{"userId", "name", "institutionId", "institutionName", "acts": [{"kind", "firstAt", "lastAt"}]}].
  openings jsonb not null,
  acknowledged_at timestamptz(3),
  acknowledged_by uuid references app_user,
  -- Until when it is listed: for ever without an acknowledgement.
  shown_until timestamptz(3) not null default 'infinity',
  unique (upload_id, institution_id),
  check ((kind = 'replaced') = (replaced_by is not null)),
  check ((acknowledged_at is null) = (acknowledged_by is null)),
  check ((acknowledged_at is null) = (shown_until = 'infinity'))
);
create index recall_shown on recall (institution_id, shown_until desc, recalled_at desc, id desc);
create index recall_replaced_by on recall (replaced_by);

grant select, insert, update, delete on recall to dosar_staff;
alter table recall enable row level security;
create policy staff on recall to dosar_staff using (true) with check (true);
create policy guest_read on recall for select to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]));
-- The first acknowledgement stays, in the name of a user of the institution.
create policy guest_acknowledge on recall for update to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]) and acknowledged_at is null)
  with check (institution_id = any((select guest_institutions())::uuid[])
    and exists (select from user_institution
      where user_institution.user_id = recall.acknowledged_by
        and user_institution.institution_id = recall.institution_id));
grant select on recall to dosar_guest;
grant update (acknowledged_at, acknowledged_by, shown_until) on recall to dosar_guest;
