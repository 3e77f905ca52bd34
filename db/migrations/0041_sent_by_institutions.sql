-- Users of institutions send files. The institution whose user has sent an upload is kept apart from the one that receives
-- the result, which staff may change.
alter table upload add column sender_institution_id uuid references institution;
update upload set sender_institution_id = institution_id where source = 'institution';
alter table upload add constraint upload_sender_check check (sender_institution_id is null or source = 'institution');
create index upload_sent on upload (sender_institution_id, created_at desc, id desc)
  where sender_institution_id is not null and deleted_at is null and state not in ('receiving', 'withdrawn');
create index upload_sent_draft on upload (created_by, created_at desc, id desc)
  where sender_institution_id is not null and deleted_at is null and state = 'receiving';

-- What an institution reads of the uploads that its users have sent, whatever the policy of `upload` hides: the views read with
-- the owner's rights and have the condition of a guest themselves. Nothing of a patient who is not its own: staff may have
-- given the upload to another one, and written the title and the reason since.
create view sent_upload with (security_barrier) as
  select upload.id, upload.number, upload.sender_institution_id, upload.created_by, upload.created_at, upload.state,
    upload.state_since,
    case when is_own then upload.patient_id end as patient_id,
    case when is_own then upload.title end as title,
    (select count(*)::integer from file where file.upload_id = upload.id and file.removed_at is null) as file_count,
    case when is_own and upload.state = 'rejected' then (
      select jsonb_build_object('code', review.reason_code, 'comment', review.comment) from review
      where review.upload_id = upload.id and review.verdict = 'rejected' and review.undone_at is null
      order by review.round desc limit 1) end as rejection,
    case when upload.state = 'quarantined' then (
      select jsonb_agg(jsonb_build_object('name', file.name, 'facts', file.facts) order by file.position)
      from file where file.upload_id = upload.id and file.removed_at is null and file.scan_result = 'refused') end as refused_files
  from upload
    cross join lateral (select upload.patient_id is null or exists (
      select from referral where referral.patient_id = upload.patient_id
        and referral.institution_id = upload.sender_institution_id and not referral.mistaken) as is_own) own
  where upload.sender_institution_id is not null and upload.deleted_at is null
    and upload.state not in ('receiving', 'withdrawn')
    and upload.sender_institution_id = any((select guest_institutions())::uuid[]);
grant select on sent_upload to dosar_guest;

-- The examinations of an institution's patient that are not released yet: no id, no title and no files.
create view examination_under_way with (security_barrier) as
  select upload.patient_id, upload.institution_id, coalesce(upload.filed_at, upload.created_at) as filed_at,
    category.name as category_name
  from upload
    left join category_slug_change as move on move.old_slug = upload.category_slug and move.moving
    left join category on category.slug = coalesce(move.new_slug, upload.category_slug)
  where upload.state in ('checking', 'in_review', 'accepted') and upload.deleted_at is null
    -- Neither a result that was released before, nor a new version of one, nor what the institution has sent itself.
    and upload.released_at is null and upload.replaces_id is null and upload.sender_institution_id is null
    and upload.institution_id = any((select guest_institutions())::uuid[])
    and exists (
      select from referral where referral.patient_id = upload.patient_id
        and referral.institution_id = upload.institution_id and not referral.mistaken and referral.ended_at is null offset 0);
grant select on examination_under_way to dosar_guest;
