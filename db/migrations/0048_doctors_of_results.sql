-- An institution sees the doctors of the results that it sees. The row of a doctor stays without one, with the department,
-- so that a result which returns finds it.

create index upload_by_doctor on upload (institution_id, referring_doctor)
  where state = 'released' and deleted_at is null and referring_doctor is not null;

-- The policy of `upload` adds that the result is released and referred.
alter policy guest on institution_doctor
  using (institution_id = any((select guest_institutions())::uuid[])
    and exists (select from upload where upload.institution_id = institution_doctor.institution_id
      and upload.referring_doctor = institution_doctor.name offset 0));

-- A doctor who is corrected changes neither the release nor the marks.
create function enter_corrected_doctor() returns trigger language plpgsql as $$
begin
  insert into institution_doctor (institution_id, name) values (new.institution_id, new.referring_doctor)
    on conflict do nothing;
  return null;
end $$;
create trigger upload_doctor_corrected after update of referring_doctor on upload for each row
  when (new.state = 'released' and new.institution_id is not null and new.referring_doctor is not null
    and new.referring_doctor is distinct from old.referring_doctor)
  execute function enter_corrected_doctor();

insert into institution_doctor (institution_id, name)
  select distinct institution_id, referring_doctor from upload
  where state = 'released' and institution_id is not null and referring_doctor is not null
  on conflict do nothing;
