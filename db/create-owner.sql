-- Creates the role of DATABASE_URL in the current database, and gives it everything that Dosar has created there so far as
-- another role. To be run once by a superuser of PostgreSQL, after: set dosar.owner_password = '…';
-- The role is no superuser; it may create the roles of requests (`dosar_staff`, `dosar_guest`, `dosar_recipient`).

do $$
declare
  owned record;
begin
  if not exists (select from pg_roles where rolname = 'dosar_owner') then
    create role dosar_owner;
  end if;
  execute format('alter role dosar_owner login createrole password %L', current_setting('dosar.owner_password'));
  execute format('alter database %I owner to dosar_owner', current_database());
  for owned in
    select nspname from pg_namespace where nspname in ('public', 'pgboss')
  loop
    execute format('alter schema %I owner to dosar_owner', owned.nspname);
  end loop;
  for owned in
    select oid::regclass as name from pg_class
    where relkind in ('r', 'p', 'v') and relnamespace::regnamespace::text in ('public', 'pgboss')
  loop
    -- With its indexes and its sequences.
    execute format('alter table %s owner to dosar_owner', owned.name);
  end loop;
  for owned in
    select oid::regprocedure as name from pg_proc where pronamespace::regnamespace::text in ('public', 'pgboss')
  loop
    execute format('alter routine %s owner to dosar_owner', owned.name);
  end loop;
  for owned in
    select format('%I.%I', typnamespace::regnamespace, typname) as name from pg_type
    where typtype = 'e' and typnamespace::regnamespace::text in ('public', 'pgboss')
  loop
    execute format('alter type %s owner to dosar_owner', owned.name);
  end loop;
  -- Roles that an earlier start as superuser has created: the owner sets their passwords.
  for owned in
    select rolname from pg_roles where rolname in ('dosar_staff', 'dosar_guest', 'dosar_recipient')
  loop
    execute format('grant %I to dosar_owner with admin option', owned.rolname);
  end loop;
end $$;
