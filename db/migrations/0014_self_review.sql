-- A reviewer does not accept an upload that they filed, unless the setting `self_review` is on. An organisation in
-- which one person reviews keeps it on, since no other user could accept that person's uploads.

insert into site_setting (key, value)
select 'self_review', 'true'
where (
  select count(*) from app_user
  where status = 'active' and (role = 'admin' or (role = 'staff' and 'admin::review-files' = any(features)))
) = 1;

-- The uploads with a verdict of a reviewer: a reviewer without the files of patients may read them.
create index review_by_reviewer on review (reviewer_id, upload_id);
