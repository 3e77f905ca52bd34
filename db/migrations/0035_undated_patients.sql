-- Patients without a birth date, among whom an import looks for everyone with the same name.

create index patient_undated on patient (id) where birth_date is null and deleted_at is null and merged_into is null;
