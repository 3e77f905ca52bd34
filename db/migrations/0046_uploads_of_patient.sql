-- A merge, its undoing and the end of a referral lock the uploads of a patient, those in the bin too, for which
-- `upload_by_patient` has no entries.
create index upload_of_patient_in_bin on upload (patient_id) where deleted_at is not null;
