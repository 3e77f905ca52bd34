-- What was asked about the results of a patient, for the patient's record.
create index question_of_patient on question (patient_id);
