-- Indexes for lists and figures with millions of rows.

-- The uploads of one user, and those of one institution, by state.
create index upload_by_author on upload (created_by, state, state_since, id) where deleted_at is null;
create index upload_by_institution on upload (institution_id, state, state_since, id) where deleted_at is null;
-- The latest releases, of all institutions.
create index upload_released_lately on upload (released_at) where state = 'released' and deleted_at is null;
-- Today's reviews.
create index review_newest on review (created_at);
-- Ended sessions are kept; valid sessions are few.
drop index session_by_user;
create index session_by_user on session (user_id, expires_at);
