-- One person, one patient: pairs that are different people, merges that can be undone.

-- Pairs that staff have declared different people, each once.
create table patient_distinct (
  patient_id uuid not null references patient on delete cascade,
  other_id uuid not null references patient on delete cascade,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now(),
  primary key (patient_id, other_id),
  check (patient_id < other_id)
);
create index patient_distinct_by_other on patient_distinct (other_id);

grant select, insert, update, delete on patient_distinct to dosar_staff;
alter table patient_distinct enable row level security;
create policy staff on patient_distinct to dosar_staff using (true) with check (true);

-- What a merge moved and changed, so that it can be undone exactly.
create table patient_merge (
  id uuid primary key,
  survivor_id uuid not null references patient,
  merged_id uuid not null references patient,
  upload_ids uuid[] not null,
  referral_ids uuid[] not null,
  -- The values of the survivor that the merge changed: {"phone": {"from": null, "to": "+40722000111"}}.
  changes jsonb not null,
  merged_by uuid not null references app_user,
  merged_at timestamptz(3) not null,
  undone_by uuid references app_user,
  undone_at timestamptz(3),
  check (survivor_id <> merged_id),
  check ((undone_at is null) = (undone_by is null))
);
create unique index patient_merge_of_merged on patient_merge (merged_id) where undone_at is null;
create index patient_merge_by_survivor on patient_merge (survivor_id, merged_at desc) where undone_at is null;

grant select, insert, update, delete on patient_merge to dosar_staff;
alter table patient_merge enable row level security;
create policy staff on patient_merge to dosar_staff using (true) with check (true);

-- Old addresses lead on: a guest reads no merged row, so the function reads with the owner's rights. It returns an id
-- alone, and the query that reads this patient has the guest's own conditions.
create function surviving_patient(merged uuid) returns uuid language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  with recursive step (id, merged_into) as (
    select patient.id, patient.merged_into from public.patient where patient.id = merged and patient.merged_into is not null
    union
    select patient.id, patient.merged_into from public.patient join step on patient.id = step.merged_into
  )
  select id from step where merged_into is null
$$;
revoke execute on function surviving_patient(uuid) from public;
grant execute on function surviving_patient(uuid) to dosar_staff, dosar_guest;
