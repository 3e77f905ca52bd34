-- The entries are read in the transaction that links them, are never deleted, and a missing one is found by the verification:
-- a second look at each, which also writes a lock into it, only costs time.
alter table audit_seal drop constraint audit_seal_event_id_fkey;
