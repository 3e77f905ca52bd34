-- Patients that are imported from a file: its rows, what the check says of each, and what the import did.

create table patient_import (
  id uuid primary key,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now(),
  file_name text not null,
  -- The file as it came, which another encoding reads again.
  storage_key text not null,
  state text not null check (
    state in ('reading', 'unreadable', 'read', 'checking', 'checked', 'importing', 'stopped', 'done')),
  -- A code of `IMPORT_PROBLEMS`.
  problem text,
  -- Of a text, as it was recognised or chosen; null for XLSX.
  encoding text,
  -- One for each column; empty if the first row is a person.
  headings text[] not null default '{}',
  column_count integer not null default 0,
  -- The field of each column, null for one that is left out.
  columns text[] not null default '{}',
  -- Into which every patient of the file is referred.
  institution_id uuid references institution,
  -- Whether values of patients may be replaced by others; empty ones are always filled.
  overwrites boolean not null default false,
  row_count integer not null default 0,
  -- The last line that was checked, and imported: where the job goes on.
  checked_line integer not null default 0,
  imported_line integer not null default 0,
  -- The number of rows of each outcome.
  checked jsonb not null default '{}',
  imported jsonb not null default '{}',
  ended_at timestamptz(3),
  version integer not null default 1
);
create index patient_import_of_author on patient_import (created_by, created_at desc, id desc);
create index patient_import_by_age on patient_import (created_at);

grant select, insert, update, delete on patient_import to dosar_staff;
alter table patient_import enable row level security;
create policy staff on patient_import to dosar_staff using (true) with check (true);

create table patient_import_row (
  import_id uuid not null references patient_import on delete cascade,
  -- Its number in the file, as a spreadsheet shows it.
  line integer not null,
  -- Texts.
  cells json not null,
  outcome text check (outcome in ('created', 'updated', 'same', 'duplicate', 'refused')),
  problems json,
  -- The values that the patient gets instead of others: {"phone": {"from": null, "to": "+40722000111"}}.
  changes json,
  -- Whom the row is about, or may be about, as it was found; leads on after a merge, as addresses do.
  patient_id uuid,
  -- The earlier row that it repeats.
  same_line integer,
  -- What later rows are compared by, of a row that is not refused.
  cnp text collate "C",
  name_words text collate "C",
  birth_date date,
  -- A person has said that a possible duplicate is somebody else.
  allowed boolean not null default false,
  result text check (result in ('created', 'updated', 'same', 'duplicate', 'refused')),
  result_problems json,
  primary key (import_id, line)
);
create index patient_import_row_by_outcome on patient_import_row (import_id, outcome, line);
create index patient_import_row_by_result on patient_import_row (import_id, result, line);
create index patient_import_row_by_cnp on patient_import_row (import_id, cnp, line) where cnp is not null;
create index patient_import_row_by_name on patient_import_row (import_id, name_words, birth_date, line)
  where name_words is not null;
create index patient_import_row_written on patient_import_row (import_id, patient_id)
  where result in ('created', 'updated');

grant select, insert, update, delete on patient_import_row to dosar_staff;
alter table patient_import_row enable row level security;
create policy staff on patient_import_row to dosar_staff using (true) with check (true);

-- The columns that a person chose last for a file with these headings.
create table patient_import_columns (
  -- MD5 of the headings as JSON.
  headings_hash text primary key,
  columns text[] not null
);

grant select, insert, update, delete on patient_import_columns to dosar_staff;
alter table patient_import_columns enable row level security;
create policy staff on patient_import_columns to dosar_staff using (true) with check (true);
