-- What lists and figures read once there are millions of rows.

-- A person's own uploads, and those of one institution, by state.
create index upload_by_author on upload (created_by, state, state_since, id) where deleted_at is null;
create index upload_by_institution on upload (institution_id, state, state_since, id) where deleted_at is null;
-- What went out lately, whoever to.
create index upload_released_lately on upload (released_at) where state = 'released' and deleted_at is null;
-- What was decided today.
create index review_newest on review (created_at);
-- Sessions are kept; those that still open something are few.
drop index session_by_user;
create index session_by_user on session (user_id, expires_at);
