-- Released results that are shared with a person who has no account: by a link with a token, whose hash alone is kept, and a
-- proof of who they are. The recipient reads as a role of its own.

do $$
begin
  if not exists (select from pg_roles where rolname = 'dosar_recipient') then
    begin
      create role dosar_recipient login;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
end $$;
grant usage on schema public to dosar_recipient;

create table share (
  id uuid primary key,
  patient_id uuid not null references patient,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null,
  recipient_kind text not null check (recipient_kind in ('patient', 'designated', 'doctor', 'institution')),
  recipient_name text not null,
  channel text not null check (channel in ('mail', 'link', 'slip')),
  -- Where the link or the code is sent.
  email text,
  proof text not null check (proof in ('birth_date', 'pin', 'email')),
  -- argon2id.
  pin_hash text,
  -- Of 256 random bits.
  token_hash bytea not null unique,
  -- Of the short code of a slip: with a key of the server, since fewer bits could be tried against a copy of the table.
  code_hash bytea unique,
  expires_at timestamptz(3) not null,
  -- How many proofs open it; null: any number.
  max_openings integer check (max_openings > 0),
  openings integer not null default 0,
  opened_at timestamptz(3),
  reason text not null,
  -- Counted before a proof is judged, and given back if it was right.
  wrong_proofs integer not null default 0 check (wrong_proofs between 0 and 10),
  locked_until timestamptz(3),
  -- The code by mail: argon2id, its end, and how many were sent.
  mail_code_hash text,
  mail_code_until timestamptz(3),
  mail_code_sent_at timestamptz(3),
  mail_codes integer not null default 0,
  ended_at timestamptz(3),
  -- Null: not by a person.
  ended_by uuid references app_user,
  ended_why text check (ended_why in ('person', 'proofs', 'uploads', 'expired')),
  ended_note text,
  version integer not null default 1,
  check ((proof = 'pin') = (pin_hash is not null)),
  check (channel <> 'mail' or email is not null),
  check (proof <> 'email' or email is not null),
  check ((ended_at is null) = (ended_why is null)),
  check (ended_at is not null or ended_by is null)
);
create index share_newest on share (created_at desc, id desc);
create index share_of_patient on share (patient_id, created_at desc, id desc);
create index share_live on share (created_at desc, id desc) where ended_at is null;
create index share_live_of_patient on share (patient_id, created_at desc, id desc) where ended_at is null;
create index share_by_expiry on share (expires_at) where ended_at is null;
create index share_ended on share (created_at desc, id desc) where ended_at is not null;
create index share_ended_of_patient on share (patient_id, created_at desc, id desc) where ended_at is not null;
create index share_of_maker on share (created_by);

create table share_upload (
  share_id uuid not null references share on delete cascade,
  upload_id uuid not null references upload,
  added_at timestamptz(3) not null,
  -- Since when the share no longer shows it: it was withdrawn, replaced, moved or moved to the bin.
  removed_at timestamptz(3),
  primary key (share_id, upload_id)
);
create index share_upload_shown on share_upload (upload_id) where removed_at is null;

-- A browser in which the proof was given. After its end the row says that this browser once had access.
create table share_session (
  id uuid primary key,
  share_id uuid not null references share on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ip text,
  user_agent text
);
create index share_session_of_share on share_session (share_id);

-- Each try that was judged, each opening, preview and download.
create table share_event (
  id uuid primary key,
  share_id uuid not null references share on delete cascade,
  -- Null for a wrong proof.
  session_id uuid,
  kind text not null check (kind in ('wrong_proof', 'code_sent', 'opened', 'previewed', 'downloaded', 'downloaded_all', 'left')),
  at timestamptz(3) not null,
  file_id uuid,
  ip text,
  user_agent text
);
create index share_event_of_share on share_event (share_id, at desc, id desc);

-- The one decision about every access: the uploads that a share shows now; none if it is closed, for any reason. Staff ask
-- it before a proof, the policies of recipients in every statement.
create function uploads_of_share(asked uuid) returns uuid[] language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(upload.id), '{}')
  from public.share
  join public.app_user maker on maker.id = share.created_by
  join public.share_upload on share_upload.share_id = share.id and share_upload.removed_at is null
  join public.upload on upload.id = share_upload.upload_id
  left join public.category_slug_change redirect on redirect.old_slug = upload.category_slug
  left join public.category on category.slug = coalesce(redirect.new_slug, upload.category_slug)
  where share.id = asked
    and share.ended_at is null
    and share.expires_at > now()
    and share.wrong_proofs < 10
    and coalesce(share.locked_until, '-infinity') <= now()
    and upload.state = 'released' and upload.deleted_at is null and upload.patient_id = share.patient_id
    and case when share.recipient_kind in ('patient', 'designated') then coalesce(category.visible_to_patients, true) else true end
    -- As `featuresInForce` of shared/access: an administrator has all features of the site, staff those granted.
    and maker.status = 'active'
    and case maker.role when 'admin' then true
      when 'staff' then maker.features @> array['patient::share', 'patient::files'] else false end
    and coalesce((select value from public.site_setting where key = 'features'), '["patient::share", "patient::files"]')
      ?& array['patient::share', 'patient::files']
$$;

-- The uploads of the recipient's transaction: those of the share that was proved in the session of `dosar.share_session`.
create function recipient_uploads() returns uuid[] language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((
    select public.uploads_of_share(share_id) from public.share_session
    where id = nullif(current_setting('dosar.share_session', true), '')::uuid and expires_at > now()
  ), '{}')
$$;

-- The share of the recipient's transaction while it is open; null otherwise.
create function recipient_share() returns uuid language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select share_id from public.share_session
  where id = nullif(current_setting('dosar.share_session', true), '')::uuid and expires_at > now()
    and public.uploads_of_share(share_id) <> '{}'
$$;
revoke execute on function uploads_of_share, recipient_uploads, recipient_share from public;
grant execute on function uploads_of_share to dosar_staff;
grant execute on function recipient_uploads, recipient_share to dosar_recipient;

do $$
declare
  secured text;
begin
  foreach secured in array array['share', 'share_upload', 'share_session', 'share_event'] loop
    execute format('alter table %I enable row level security', secured);
    execute format('create policy staff on %I to dosar_staff using (true) with check (true)', secured);
    execute format('grant select, insert, update, delete on %I to dosar_staff', secured);
  end loop;
end $$;

-- What a recipient reads: the results without whose they are, the files without what was found in them, the names of categories,
-- and who looked at the share.
create policy recipient on upload for select to dosar_recipient using (id = any((select recipient_uploads())::uuid[]));
grant select (id, category_slug, title, examined_on, released_at) on upload to dosar_recipient;

create policy recipient on file for select to dosar_recipient
  using (removed_at is null and scan_result in ('unscanned', 'clean') and upload_id = any((select recipient_uploads())::uuid[]));
grant select (id, upload_id, position, name, type, kind, size, sha256, storage_key, page_count, removed_at, created_at) on file to dosar_recipient;

grant select on category, category_slug_change to dosar_recipient;

create policy recipient on share for select to dosar_recipient using (id = (select recipient_share()));
grant select (id, recipient_name, expires_at) on share to dosar_recipient;

create policy recipient_read on share_event for select to dosar_recipient using (share_id = (select recipient_share()));
create policy recipient_add on share_event for insert to dosar_recipient
  with check (share_id = (select recipient_share()) and kind in ('previewed', 'downloaded', 'downloaded_all')
    and session_id = nullif(current_setting('dosar.share_session', true), '')::uuid);
grant select (id, share_id, session_id, kind, at, file_id) on share_event to dosar_recipient;
grant insert on share_event to dosar_recipient;

-- A recipient adds entries, none in the name of an account, and reads none.
create policy recipient on audit_event for insert to dosar_recipient with check (role is null and actor_id is null);
grant insert on audit_event to dosar_recipient;
