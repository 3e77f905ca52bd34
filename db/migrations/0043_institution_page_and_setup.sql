-- The institution's page for staff, its colour and its logo; the setup of a new organisation.

-- When a user of an institution first opened the upload; null: nobody has. Kept here so that the results of an institution
-- that were opened, or were not, are read from an index however many there are.
alter table upload add column first_opened_at timestamptz(3);
update upload set first_opened_at = first.at
  from (select upload_id, min(opened_at) as at from upload_opening group by 1) first where first.upload_id = upload.id;
create index upload_unopened on upload (institution_id, released_at desc, id desc)
  where state = 'released' and deleted_at is null and first_opened_at is null;
create index upload_opened on upload (institution_id, released_at desc, id desc)
  where state = 'released' and deleted_at is null and first_opened_at is not null;

-- With the owner's rights: a user of an institution records an opening and changes no upload.
create function note_first_openings() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.upload set first_opened_at = first.at
    from (select upload_id, min(opened_at) as at from opened group by 1) first
    where upload.id = first.upload_id and (first_opened_at is null or first_opened_at > first.at);
  return null;
end $$;
create trigger upload_opening_noted after insert on upload_opening
  referencing new table as opened for each statement execute function note_first_openings();

create function forget_first_openings() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.upload
    set first_opened_at = (select min(opened_at) from public.upload_opening where upload_id = upload.id)
    where id in (select upload_id from forgotten);
  return null;
end $$;
create trigger upload_opening_forgotten after delete on upload_opening
  referencing old table as forgotten for each statement execute function forget_first_openings();

-- A name of the palette in place of any colour: it has a value for each colour mode. No screen has shown the former colour.
alter table institution drop column color;
alter table institution add column accent text check (accent in ('lime', 'green', 'emerald', 'teal', 'cyan', 'sky', 'blue',
  'indigo', 'violet', 'purple', 'pink', 'rose', 'orange', 'amber', 'yellow'));
-- The address of a picture in site_image, which is deleted with it.
alter table institution add column logo text;
create unique index institution_logo on institution (logo) where logo is not null;
alter table site_image drop constraint site_image_kind_check;
alter table site_image add check (kind in ('logo', 'logo_navigation', 'favicon', 'institution_logo'));

-- What administrators have said of the setup of the organisation; everything else about it is read from the data.
create table setup (
  singleton boolean primary key default true check (singleton),
  -- When an administrator stated that backups are arranged.
  backup_stated_at timestamptz(3),
  backup_stated_by uuid references app_user,
  -- When the list of steps was hidden.
  hidden_at timestamptz(3)
);
insert into setup default values;
grant select, update on setup to dosar_staff;
alter table setup enable row level security;
create policy staff on setup to dosar_staff using (true) with check (true);

-- The test mail that the mail server has accepted.
create index message_test on message (created_at desc) where kind = 'test';
