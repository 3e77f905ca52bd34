-- Who did or read what. Rows are only added.

create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default clock_timestamp(),
  actor_id uuid,
  actor_name text not null,
  role text,
  origin text not null,
  action text not null,
  subject_type text,
  subject_id uuid,
  -- The rows that a list showed, at most one page.
  subject_ids uuid[],
  patient_id uuid,
  outcome text not null check (outcome in ('ok', 'denied', 'failed')),
  changes jsonb,
  ip text,
  user_agent text,
  request_id text not null
);
create index audit_event_by_actor on audit_event (actor_id, id desc);
create index audit_event_by_patient on audit_event (patient_id, id desc) where patient_id is not null;
create index audit_event_by_action on audit_event (action, id desc);
create index audit_event_by_subject on audit_event (subject_id, id desc) where subject_id is not null;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_event is append-only';
end $$;
create trigger audit_event_append_only before update or delete or truncate on audit_event
  for each statement execute function refuse_audit_change();
