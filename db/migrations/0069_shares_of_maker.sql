-- The links that a person has made, newest first: those in force, and all.
drop index share_of_maker;
create index share_of_maker on share (created_by, created_at desc, id desc);
create index share_live_of_maker on share (created_by, created_at desc, id desc) where ended_at is null;
