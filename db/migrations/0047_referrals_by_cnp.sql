-- Whose access was granted: while two patients are merged, a CNP that a request or an import states may be the other one's.
-- The patient whose CNP it was, merged since or not; null: a person chose the patient.
alter table referral add column granted_for uuid references patient;
create index access_request_of_patient on access_request (patient_id) where patient_id is not null;
