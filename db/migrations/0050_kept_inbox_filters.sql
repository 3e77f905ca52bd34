-- The filters that a user's next visit to the inbox begins with, on any computer. They refer to nothing: what no longer exists,
-- or is no longer the user's, is left out when they are read.
create table kept_inbox_filter (
  user_id uuid primary key references app_user on delete cascade,
  view text,
  since date,
  until date,
  category_slug text,
  doctor text,
  institution_id uuid,
  department_id uuid,
  -- Results of every department, in place of the user's own.
  all_departments boolean not null default false,
  check (department_id is null or not all_departments)
);

-- Beside its institutions, the user of the transaction: what belongs to one person, no colleague reads.
create function guest_user() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('dosar.user', true), '')::uuid
$$;

alter table kept_inbox_filter enable row level security;
create policy guest on kept_inbox_filter to dosar_guest
  using (user_id = (select guest_user())) with check (user_id = (select guest_user()));
grant select, insert, update on kept_inbox_filter to dosar_guest;
