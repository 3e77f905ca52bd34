-- Problems of the product that administrators were told about by mail: each once, until it is solved.
create table reported_problem (
  -- A fault of the audit log, or the name of a job that has failed.
  key text primary key,
  reported_at timestamptz(3) not null
);
grant select, insert, delete on reported_problem to dosar_staff;
alter table reported_problem enable row level security;
create policy staff on reported_problem to dosar_staff using (true) with check (true);
