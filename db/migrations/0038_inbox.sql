-- The inbox of an institution: which results wait, who has taken or handled them; its departments and their doctors.

-- Since when a user counts for the institution: older results that nobody has marked are not new for them.
alter table user_institution add column joined_at timestamptz(3) not null default now();
-- Users from before begin a month before the upgrade: their whole history would be new otherwise.
update user_institution set joined_at = greatest(app_user.created_at, now() - interval '30 days')
  from app_user where app_user.id = user_id;

create table department (
  id uuid primary key,
  institution_id uuid not null references institution on delete cascade,
  name text not null,
  name_key text collate "C" not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (institution_id, name_key),
  -- For the references below: a department of another institution is none.
  unique (id, institution_id)
);

-- The user's own department at the institution, by which their inbox is narrowed.
alter table user_institution add column department_id uuid,
  add foreign key (department_id, institution_id) references department (id, institution_id) on delete set null (department_id);
create index user_institution_by_department on user_institution (department_id);

-- The referring doctors of an institution's results, as these name them, each in one department or none.
create table institution_doctor (
  institution_id uuid not null references institution on delete cascade,
  name text not null,
  department_id uuid,
  primary key (institution_id, name),
  foreign key (department_id, institution_id) references department (id, institution_id) on delete set null (department_id)
);
create index institution_doctor_by_department on institution_doctor (department_id);

-- A result at an institution that has received it. The row stays when the result leaves the institution, without
-- `received_at`: it is in no list then.
create table inbox_item (
  upload_id uuid not null references upload on delete cascade,
  institution_id uuid not null references institution on delete cascade,
  received_at timestamptz(3),
  -- The names as they were: a colleague who leaves is no longer visible to the others.
  taken_by uuid references app_user,
  taken_by_name text,
  taken_at timestamptz(3),
  handled_by uuid references app_user,
  handled_by_name text,
  handled_at timestamptz(3),
  -- The marks before this release, the oldest first: of this upload, or of the version that it replaces.
  former jsonb not null default '[]',
  primary key (upload_id, institution_id),
  check ((taken_at is null) = (taken_by is null) and (taken_at is null) = (taken_by_name is null)),
  check ((handled_at is null) = (handled_by is null) and (handled_at is null) = (handled_by_name is null))
);
create index inbox_item_open on inbox_item (institution_id, received_at, upload_id)
  where handled_at is null and received_at is not null;
create index inbox_item_taken on inbox_item (institution_id, received_at, upload_id)
  where taken_at is not null and handled_at is null and received_at is not null;
create index inbox_item_handled on inbox_item (institution_id, received_at, upload_id)
  where handled_at is not null and received_at is not null;

create function inbox_marks(item inbox_item) returns jsonb language sql immutable as $$
  select item.former
    || case when item.taken_at is null then '[]'
      else jsonb_build_array(jsonb_build_object('state', 'taken', 'name', item.taken_by_name, 'at', item.taken_at)) end
    || case when item.handled_at is null then '[]'
      else jsonb_build_array(jsonb_build_object('state', 'handled', 'name', item.handled_by_name, 'at', item.handled_at)) end
$$;

-- Enters released uploads, so that every release is in the inbox, whichever code has made it.
create function receive_inserted() returns trigger language plpgsql as $$
begin
  insert into inbox_item (upload_id, institution_id, received_at)
    select id, institution_id, coalesce(released_at, state_since) from added
    where state = 'released' and institution_id is not null;
  insert into institution_doctor (institution_id, name)
    select distinct institution_id, referring_doctor from added
    where state = 'released' and institution_id is not null and referring_doctor is not null
    on conflict do nothing;
  return null;
end $$;
create trigger upload_received_inserted after insert on upload referencing new table as added
  for each statement execute function receive_inserted();

-- Each release is new: its marks begin again, with those from before beside them.
create function receive_updated() returns trigger language plpgsql as $$
begin
  update inbox_item set received_at = null where upload_id = new.id and received_at is not null;
  if new.state = 'released' and new.institution_id is not null then
    insert into inbox_item (upload_id, institution_id, received_at, former)
      values (new.id, new.institution_id, coalesce(new.released_at, new.state_since), coalesce((
        select inbox_marks(item) from inbox_item item
        where item.upload_id = new.replaces_id and item.institution_id = new.institution_id), '[]'))
      on conflict (upload_id, institution_id) do update set received_at = excluded.received_at,
        former = inbox_marks(inbox_item),
        taken_by = null, taken_by_name = null, taken_at = null,
        handled_by = null, handled_by_name = null, handled_at = null;
    if new.referring_doctor is not null then
      insert into institution_doctor (institution_id, name) values (new.institution_id, new.referring_doctor)
        on conflict do nothing;
    end if;
  end if;
  return null;
end $$;
create trigger upload_received_updated after update on upload for each row
  when ((old.state = 'released' or new.state = 'released')
    and (old.state, old.institution_id, old.released_at) is distinct from (new.state, new.institution_id, new.released_at))
  execute function receive_updated();

insert into inbox_item (upload_id, institution_id, received_at)
  select id, institution_id, coalesce(released_at, state_since) from upload
  where state = 'released' and institution_id is not null;
insert into institution_doctor (institution_id, name)
  select distinct institution_id, referring_doctor from upload
  where state = 'released' and institution_id is not null and referring_doctor is not null;

do $$
declare
  secured text;
begin
  foreach secured in array array['department', 'institution_doctor', 'inbox_item'] loop
    execute format('grant select, insert, update, delete on %I to dosar_staff', secured);
    execute format('alter table %I enable row level security', secured);
    execute format('create policy staff on %I to dosar_staff using (true) with check (true)', secured);
  end loop;
end $$;

create policy guest on department to dosar_guest using (institution_id = any((select guest_institutions())::uuid[]));
grant select, insert, delete, update (name, name_key, version, updated_at) on department to dosar_guest;

create policy guest on institution_doctor to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]));
grant select, update (department_id) on institution_doctor to dosar_guest;

create policy guest_update on user_institution for update to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]));
grant update (department_id) on user_institution to dosar_guest;

-- The marks of the institution that has the result now, and of no other.
create policy guest on inbox_item to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[])
    and exists (select from upload where upload.id = inbox_item.upload_id
      and upload.institution_id = inbox_item.institution_id offset 0));
grant select, update (taken_by, taken_by_name, taken_at, handled_by, handled_by_name, handled_at) on inbox_item to dosar_guest;
