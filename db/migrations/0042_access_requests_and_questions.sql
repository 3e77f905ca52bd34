-- What institutions ask the organisation: access to a patient whom they do not find, and questions about their results.

create table access_request (
  id uuid primary key,
  institution_id uuid not null references institution,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null,
  -- As they were typed. They are compared with the patients only for staff.
  surname text not null,
  given_names text not null,
  birth_date date not null,
  cnp text,
  -- What the institution's users read of it.
  cnp_masked text generated always as (case when cnp is not null then repeat('*', 9) || right(cnp, 4) end) stored,
  purpose text not null,
  doctor text,
  number text,
  state text not null default 'sent' check (state in ('sent', 'accepted', 'refused')),
  decided_at timestamptz(3),
  decided_by uuid references app_user,
  -- Of an accepted request.
  patient_id uuid references patient,
  -- Of a refused one; the institution reads both.
  refusal text check (refusal in ('neutral', 'details', 'purpose', 'phone')),
  refusal_note text,
  check ((state = 'sent') = (decided_at is null) and (state = 'sent') = (decided_by is null)),
  check ((state = 'accepted') = (patient_id is not null)),
  check ((state = 'refused') = (refusal is not null) and (state = 'refused' or refusal_note is null))
);
create index access_request_of_institution on access_request (institution_id, created_at desc, id desc);
create index access_request_of_user on access_request (created_by, created_at);
create index access_request_open on access_request (created_at, id) where state = 'sent';
create index access_request_decided on access_request (decided_at desc, id desc) where state <> 'sent';

grant select, insert, update, delete on access_request to dosar_staff;
alter table access_request enable row level security;
create policy staff on access_request to dosar_staff using (true) with check (true);
create policy guest_read on access_request for select to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]));
-- A guest asks, and decides nothing.
create policy guest_ask on access_request for insert to dosar_guest
  with check (state = 'sent' and institution_id = any((select guest_institutions())::uuid[])
    and exists (select from user_institution
      where user_institution.user_id = access_request.created_by
        and user_institution.institution_id = access_request.institution_id));
grant select (id, institution_id, created_by, created_at, surname, given_names, birth_date, cnp_masked, purpose, doctor, number,
  state, decided_at, patient_id, refusal, refusal_note) on access_request to dosar_guest;
grant insert (id, institution_id, created_by, created_at, surname, given_names, birth_date, cnp, purpose, doctor, number)
  on access_request to dosar_guest;

-- The questions of an institution about a result, and the answers: one conversation for each upload, institution and patient, so
-- that an upload that is corrected or moved does not show it to others.
create table question (
  id uuid primary key,
  upload_id uuid not null references upload,
  institution_id uuid not null references institution,
  patient_id uuid not null references patient,
  -- The institution reads it also when it no longer sees the upload.
  upload_number integer not null,
  created_at timestamptz(3) not null,
  changed_at timestamptz(3) not null,
  state text not null check (state in ('open', 'answered', 'closed')),
  -- Since when it waits for the organisation.
  waiting_since timestamptz(3),
  message_count integer not null default 0 check (message_count between 0 and 50),
  -- The organisation has answered or closed it, and no user of the institution has read that.
  unread boolean not null default false,
  version integer not null default 1,
  unique (upload_id, institution_id, patient_id),
  check ((state = 'open') = (waiting_since is not null))
);
create index question_of_institution on question (institution_id, changed_at desc, id desc);
create index question_unread on question (institution_id) where unread;
create index question_open on question (waiting_since, id) where state = 'open';

create table question_message (
  question_id uuid not null references question,
  -- Counts the messages of a question from 1.
  position integer not null,
  by_organisation boolean not null,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null,
  text text not null check (char_length(text) between 1 and 2000),
  primary key (question_id, position)
);

grant select, insert, update, delete on question to dosar_staff;
alter table question enable row level security;
create policy staff on question to dosar_staff using (true) with check (true);
create policy guest_read on question for select to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]));
-- The policy of uploads adds that it is released to the institution now.
create policy guest_ask on question for insert to dosar_guest
  with check (institution_id = any((select guest_institutions())::uuid[])
    and exists (select from upload where upload.id = question.upload_id
      and upload.institution_id = question.institution_id and upload.patient_id = question.patient_id));
create policy guest_change on question for update to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]))
  with check (institution_id = any((select guest_institutions())::uuid[]));
grant select, insert, update (changed_at, state, waiting_since, message_count, unread, version) on question to dosar_guest;

grant select, insert, update, delete on question_message to dosar_staff;
alter table question_message enable row level security;
create policy staff on question_message to dosar_staff using (true) with check (true);
create policy guest_read on question_message for select to dosar_guest
  using (exists (select from question where question.id = question_message.question_id offset 0));
create policy guest_write on question_message for insert to dosar_guest
  with check (not by_organisation and exists (select from question
    join upload on upload.id = question.upload_id and upload.institution_id = question.institution_id
      and upload.patient_id = coalesce(surviving_patient(question.patient_id), question.patient_id)
    join user_institution on user_institution.institution_id = question.institution_id
      and user_institution.user_id = question_message.created_by
    where question.id = question_message.question_id));
grant select, insert on question_message to dosar_guest;
