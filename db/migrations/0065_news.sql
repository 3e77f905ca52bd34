-- Notes, news and warnings about patients.

create table news (
  id uuid primary key,
  patient_id uuid not null references patient,
  kind text not null check (kind in ('warning', 'news', 'note')),
  -- Plain text.
  text text not null check (char_length(text) between 1 and 2000),
  visibility text not null check (visibility in ('staff', 'institution', 'patient')),
  -- The last day on which it comes before the others of its kind.
  pinned_until date,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null,
  -- Counts the texts, each with its kind and visibility; the former ones are in news_revision.
  revision integer not null default 1,
  written_by uuid not null references app_user,
  written_at timestamptz(3) not null,
  removed_at timestamptz(3),
  removed_by uuid references app_user,
  version integer not null default 1,
  check ((removed_at is null) = (removed_by is null))
);
create index news_of_patient on news (patient_id);
create index news_removed on news (removed_at) where removed_at is not null;

grant select, insert, update, delete on news to dosar_staff;
alter table news enable row level security;
create policy staff on news to dosar_staff using (true) with check (true);
-- By a referral of now: the policy of referrals has the institution, that of patients those who were merged.
create policy guest on news for select to dosar_guest
  using (visibility <> 'staff' and removed_at is null
    and exists (select from referral join patient on patient.id = referral.patient_id
      where referral.patient_id = news.patient_id and referral.ended_at is null offset 0));
grant select on news to dosar_guest;

-- What an entry said before each edit, for staff.
create table news_revision (
  news_id uuid not null references news on delete cascade,
  revision integer not null,
  kind text not null,
  text text not null,
  visibility text not null,
  written_by uuid not null references app_user,
  written_at timestamptz(3) not null,
  primary key (news_id, revision)
);
grant select, insert, update, delete on news_revision to dosar_staff;
alter table news_revision enable row level security;
create policy staff on news_revision to dosar_staff using (true) with check (true);

-- The last text of an entry that a person has read.
create table news_reading (
  news_id uuid not null references news on delete cascade,
  user_id uuid not null references app_user,
  revision integer not null,
  read_at timestamptz(3) not null,
  primary key (news_id, user_id)
);
create index news_reading_of_user on news_reading (user_id);
grant select, insert, update, delete on news_reading to dosar_staff;
alter table news_reading enable row level security;
create policy staff on news_reading to dosar_staff using (true) with check (true);
-- Of the institution's own people, about what it reads now.
create policy guest on news_reading to dosar_guest
  using (exists (select from user_institution where user_institution.user_id = news_reading.user_id offset 0)
    and exists (select from news where news.id = news_reading.news_id offset 0));
grant select, insert, update (revision, read_at) on news_reading to dosar_guest;

-- Of the merged patient, so that they return when the merge is undone.
alter table patient_merge add column news_ids uuid[] not null default '{}';
