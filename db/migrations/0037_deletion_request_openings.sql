-- What the institution's own users did with the result: what its users need to find the copies.
alter table deletion_request add column openings jsonb not null default '[]';
update deletion_request
  set openings = coalesce((
    select jsonb_agg(opening)
      from incident, jsonb_array_elements(incident.openings) opening
      where incident.id = deletion_request.incident_id
        and opening ->> 'institutionId' = deletion_request.institution_id::text), '[]');
grant select (openings) on deletion_request to dosar_guest;
