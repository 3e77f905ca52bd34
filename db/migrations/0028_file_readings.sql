-- What a file says before its upload is submitted. The check uses it instead of reading the file again, and deletes it.

create table file_reading (
  file_id uuid primary key references file on delete cascade,
  -- `READER_VERSION` of server/features/uploads/readings/kept-reading.ts.
  reader smallint not null,
  -- Whether it was searched for what prevents the automatic acceptance.
  may_confirm boolean not null,
  -- The `Inspection` without its text. Not jsonb, which stores no NUL and no half of a letter.
  inspection json not null check (length(inspection::text) <= 2000000),
  content_text text,
  read_at timestamptz(3) not null default now()
);

grant select, insert, update, delete on file_reading to dosar_staff;
alter table file_reading enable row level security;
create policy staff on file_reading to dosar_staff using (true) with check (true);
