-- What each file says of its patient and its examination, found when it is inspected. Never in a log.

create table file_fact (
  file_id uuid not null references file on delete cascade,
  -- The order in the file, from 1.
  position smallint not null,
  kind text not null check (
    kind in (
      'cnp', 'name', 'birth-date', 'accession', 'examined-on', 'doctor', 'institution', 'instance', 'series'
    )
  ),
  value text not null check (length(value) between 1 and 300),
  -- Read with a guess: it proves nothing.
  is_doubtful boolean not null default false,
  -- `FactPlace` of shared/uploads/file-facts.ts.
  place jsonb not null,
  primary key (file_id, position)
);
-- Copies of DICOM images; the accession numbers that other uploads have.
create index file_fact_by_value on file_fact (value, kind) where kind in ('instance', 'series', 'accession');

grant select, insert, update, delete on file_fact to dosar_staff;
alter table file_fact enable row level security;
create policy staff on file_fact to dosar_staff using (true) with check (true);
