-- What the bell of a user counts is read from the tables of the things themselves. Only two facts about each kind are the
-- user's own: until when they have seen it, and that they do not want it.
create table user_notification (
  user_id uuid not null references app_user on delete cascade,
  kind text not null check (kind in ('results', 'rejected', 'questions', 'access_requests', 'shares', 'mail')),
  -- The time of the newest that the list has shown; null: nothing was shown yet.
  seen_until timestamptz(3),
  is_off boolean not null default false,
  primary key (user_id, kind)
);
grant select, insert, update, delete on user_notification to dosar_staff;
alter table user_notification enable row level security;
create policy staff on user_notification to dosar_staff using (true) with check (true);
create policy guest on user_notification to dosar_guest
  using (user_id = (select guest_user())) with check (user_id = (select guest_user()));
grant select, insert, update on user_notification to dosar_guest;

-- Since when a mail is undelivered: long after it was written, if the mail server was tried again. Kept by a trigger,
-- whichever code ends a mail.
alter table message add column failed_at timestamptz(3);
update message set failed_at = created_at where state in ('failed', 'bounced');
create function note_failure() returns trigger language plpgsql as $$
begin
  new.failed_at := case when new.state in ('failed', 'bounced') then coalesce(new.failed_at, clock_timestamp()) end;
  return new;
end $$;
create trigger message_failure_inserted before insert on message for each row
  when (new.state in ('failed', 'bounced')) execute function note_failure();
create trigger message_failure_updated before update of state on message for each row
  when (old.state is distinct from new.state) execute function note_failure();
create index message_undelivered on message (failed_at desc, id desc) where state in ('failed', 'bounced');
create index message_undelivered_of on message (caused_by, failed_at desc, id desc) where state in ('failed', 'bounced');

-- Shares for which wrong proofs were given until they were locked.
create index share_locked_of_maker on share (created_by, locked_until desc) where locked_until is not null;
-- The decisions about a user's own requests.
create index access_request_decided_of_user on access_request (created_by, decided_at desc, id desc) where state <> 'sent';
