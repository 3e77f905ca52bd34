-- Entries of a statement are queued together for the chain, instead of by a call of the function each.
drop trigger audit_event_awaits_seal on audit_event;
create or replace function await_audit_seal() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.audit_unsealed (event_id) select id from added;
  return null;
end $$;
create trigger audit_event_awaits_seal after insert on audit_event
  referencing new table as added for each statement execute function await_audit_seal();
