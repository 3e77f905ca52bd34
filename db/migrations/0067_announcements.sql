-- What users of institutions are told about results by mail: who, about which result, in which mail.

-- How the user wants the mail, where it is less often than the institution has it; null: as the institution.
alter table user_institution add column delivery text check (delivery in ('hourly', 'daily', 'none'));
grant update (delivery) on user_institution to dosar_guest;

-- The institution whose results a mail counts: it is sent to nobody who does not belong to the institution any more.
alter table message add column institution_id uuid references institution on delete cascade;
-- The user whose act has caused a mail to somebody else, and who is notified if it fails.
alter table message add column caused_by uuid references app_user;

-- A result and a person, for a release: announced as new, reminded of, announced again on request, or recalled. The
-- primary key has no meaning.
create table announcement (
  id uuid primary key default gen_random_uuid(),
  upload_id uuid not null references upload on delete cascade,
  institution_id uuid not null references institution on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  kind text not null check (kind in ('new', 'reminder', 'resent', 'recall')),
  -- When the result was released; a later release is announced again.
  released_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  -- Who has asked to announce it again.
  asked_by uuid references app_user,
  -- The mail that counts it; null while it waits for one.
  message_id uuid references message,
  check ((kind = 'resent') = (asked_by is not null))
);
-- Once for each release and person, except on request; of two requests only one waits.
create unique index announcement_once on announcement (upload_id, institution_id, user_id, kind, released_at)
  where kind <> 'resent';
create unique index announcement_resent_once on announcement (upload_id, institution_id, user_id)
  where kind = 'resent' and message_id is null;
create index announcement_waiting on announcement (institution_id, user_id) where message_id is null;
create index announcement_by_upload on announcement (upload_id);
create index announcement_resent on announcement (institution_id, created_at) where kind = 'resent';
create index announcement_by_message on announcement (message_id) where message_id is not null;

-- Notes whom a release is announced to, whichever code releases. Uploads that are inserted as released are history.
create function announce_release() returns trigger language plpgsql as $$
begin
  insert into announcement (upload_id, institution_id, user_id, kind, released_at)
    select new.id, new.institution_id, user_institution.user_id, 'new', coalesce(new.released_at, new.state_since)
    from user_institution
      join institution on institution.id = user_institution.institution_id
      join app_user on app_user.id = user_institution.user_id
    where user_institution.institution_id = new.institution_id and app_user.status = 'active'
      and institution.suspended_at is null
      and institution.delivery <> 'none' and user_institution.delivery is distinct from 'none'
    on conflict do nothing;
  return null;
end $$;
create trigger upload_release_announced after update on upload for each row
  when (new.state = 'released' and new.institution_id is not null
    and (old.state, old.institution_id, old.released_at) is distinct from (new.state, new.institution_id, new.released_at))
  execute function announce_release();

-- Notes whom a recall is announced to: the users who had opened the result and still belong to the institution.
create function announce_recall() returns trigger language plpgsql as $$
begin
  insert into announcement (upload_id, institution_id, user_id, kind, released_at)
    select new.upload_id, new.institution_id, user_institution.user_id, 'recall', new.released_at
    from jsonb_array_elements(new.openings) opening
      join user_institution on user_institution.user_id = (opening ->> 'userId')::uuid
        and user_institution.institution_id = new.institution_id
    on conflict do nothing;
  return null;
end $$;
create trigger recall_announced after insert on recall for each row execute function announce_recall();

-- A request to delete the result has taken the place of the recall, and has a mail of its own.
create function forget_recall() returns trigger language plpgsql as $$
begin
  delete from announcement where upload_id = old.upload_id and institution_id = old.institution_id
    and kind = 'recall' and message_id is null;
  return null;
end $$;
create trigger recall_forgotten after delete on recall for each row execute function forget_recall();

grant select, insert, update, delete on announcement to dosar_staff;
alter table announcement enable row level security;
create policy staff on announcement to dosar_staff using (true) with check (true);
