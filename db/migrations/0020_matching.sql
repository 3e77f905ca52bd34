-- Finds the patient that a document is about.

-- People born on one day, and on days that differ by one digit.
create index patient_by_birth_date on patient (birth_date, name_key)
  where birth_date is not null and deleted_at is null and merged_into is null;
-- Whose examination a number is.
create index upload_by_accession on upload (accession_number, patient_id)
  where accession_number is not null and deleted_at is null and state in ('accepted', 'released');
