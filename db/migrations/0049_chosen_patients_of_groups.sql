-- The patient whom a person has chosen for a group of a batch; it stays for an undo of the filing.
create table batch_choice (
  upload_id uuid primary key references upload on delete cascade,
  patient_id uuid not null references patient,
  -- The files that the group had then, by id: with other files the choice has no basis and does not count.
  file_ids uuid[] not null
);
create index batch_choice_by_patient on batch_choice (patient_id);

grant select, insert, update, delete on batch_choice to dosar_staff;
alter table batch_choice enable row level security;
create policy staff on batch_choice to dosar_staff using (true) with check (true);
