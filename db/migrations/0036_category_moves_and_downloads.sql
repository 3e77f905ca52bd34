-- The uploads of a removed slug move in batches: until all have, some still have the old slug.

alter table category_slug_change
  -- Whether uploads still have the old slug.
  add moving boolean not null default false,
  -- How many had it when the list was saved, and how many of them have moved.
  add upload_count integer not null default 0,
  add moved_count integer not null default 0;

alter table operation drop constraint operation_kind_check;
alter table operation add constraint operation_kind_check
  check (kind in ('category', 'institution', 'title', 'release', 'return', 'withdraw', 'download'));
