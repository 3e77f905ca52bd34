-- Two roles for requests: `dosar_staff` reads every row, `dosar_guest` only rows of its institutions. Neither can change the
-- schema or the audit log. The server gives them passwords at its start; until then nobody can connect as them.

do $$
declare
  role text;
begin
  -- Roles belong to the whole server, so another database may have them already, or create them at the same moment.
  foreach role in array array['dosar_staff', 'dosar_guest'] loop
    if not exists (select from pg_roles where rolname = role offset 0) then
      begin
        execute format('create role %I login', role);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
  end loop;
end $$;

do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;
revoke create on schema public from public;
grant usage on schema public to dosar_staff, dosar_guest;
grant select, insert, update, delete on all tables in schema public to dosar_staff;
grant usage on all sequences in schema public to dosar_staff;
revoke insert, update, delete on schema_migration from dosar_staff;
revoke update, delete on audit_event, audit_seal, audit_verification from dosar_staff;
revoke insert, update on audit_unsealed from dosar_staff;

-- With the owner's rights, so that a role that can add entries cannot add to the queue of the chain by itself.
-- Temporary objects are searched last: one of the same name would be used with the owner's rights.
create or replace function await_audit_seal() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.audit_unsealed (event_id) values (new.id);
  return null;
end $$;

-- The institutions of a guest's transaction; none without the setting.
create function guest_institutions() returns uuid[] language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('dosar.institutions', true), ''), '{}')::uuid[]
$$;

-- Reference data and public settings: no people, no policy.
grant select on category, category_list, category_slug_change, site_setting, site_version, site_image to dosar_guest;

-- The policies repeat the scopes of the queries (`*.access.ts`) and do not replace them. `true` costs staff nothing: the
-- planner drops it.
do $$
declare
  secured text;
begin
  foreach secured in array array[
    'institution', 'user_institution', 'app_user', 'account_link', 'referral', 'patient',
    'patient_name_pair', 'upload', 'file', 'upload_opening', 'audit_event',
    -- Without a policy for guests: a grant by mistake would still show no row.
    'session', 'recovery_code', 'pending_sign_in', 'user_identity', 'message', 'transfer', 'review'
  ] loop
    execute format('alter table %I enable row level security', secured);
    execute format('create policy staff on %I to dosar_staff using (true) with check (true)', secured);
  end loop;
end $$;

-- A policy has no `or`, which would hide the index of the query from the planner; `offset 0` makes it look up the one row,
-- where it would otherwise read all rows of the institutions.
create policy guest on institution to dosar_guest using (id = any((select guest_institutions())::uuid[]));
grant select on institution to dosar_guest;
grant update (county, locality, address, phone, email, contacts, delivery, search, updated_at, version) on institution to dosar_guest;

create policy guest on user_institution for select to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]));
grant select on user_institution to dosar_guest;

-- Colleagues, without their secrets.
create policy guest on app_user for select to dosar_guest
  using (exists (select from user_institution where user_institution.user_id = app_user.id offset 0));
grant select (id, name, email, status, last_sign_in_at) on app_user to dosar_guest;

create policy guest on account_link for select to dosar_guest
  using (exists (select from user_institution where user_institution.user_id = account_link.user_id offset 0));
grant select (user_id, purpose, expires_at, used_at) on account_link to dosar_guest;

create policy guest on referral for select to dosar_guest
  using (institution_id = any((select guest_institutions())::uuid[]));
grant select on referral to dosar_guest;

create policy guest on patient for select to dosar_guest
  using (deleted_at is null and merged_into is null
    and exists (select from referral where referral.patient_id = patient.id offset 0));
grant select on patient to dosar_guest;

create policy guest on patient_name_pair for select to dosar_guest
  using (exists (select from referral where referral.patient_id = patient_name_pair.patient_id offset 0));
grant select on patient_name_pair to dosar_guest;

create policy guest on upload for select to dosar_guest
  using (state = 'released' and deleted_at is null and institution_id = any((select guest_institutions())::uuid[])
    and exists (select from referral where referral.patient_id = upload.patient_id offset 0));
grant select on upload to dosar_guest;

-- Without the text and the CNPs that were found in it.
create policy guest on file for select to dosar_guest
  using (removed_at is null and exists (select from upload where upload.id = file.upload_id offset 0));
grant select (id, upload_id, position, name, type, kind, size, sha256, storage_key, page_count, facts, scan_result, removed_at, created_at)
  on file to dosar_guest;

create policy guest on upload_opening to dosar_guest
  using (exists (select from upload where upload.id = upload_opening.upload_id offset 0));
grant select, insert, update (downloaded_at) on upload_opening to dosar_guest;

-- A guest adds entries, none in the name of the organisation, and reads none.
create policy guest on audit_event for insert to dosar_guest with check (coalesce(role, 'institution') = 'institution');
grant insert on audit_event to dosar_guest;
