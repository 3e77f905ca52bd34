-- Referrals are changed and ended. An institution sees the results that were released to it until the end.

alter table referral
  -- When the referral ended; null while it has not.
  add ended_at timestamptz(3),
  -- It was never right: nobody sees anything by it.
  add mistaken boolean not null default false,
  add version integer not null default 1,
  add check (not mistaken or ended_at is not null);

alter policy guest on referral
  using (institution_id = any((select guest_institutions())::uuid[]) and not mistaken);

-- By a referral of the institution that the upload is for, not of another institution of the same user.
alter policy guest on upload
  using (state = 'released' and deleted_at is null and institution_id = any((select guest_institutions())::uuid[])
    and exists (select from referral where referral.patient_id = upload.patient_id
      and referral.institution_id = upload.institution_id
      and coalesce(referral.ended_at, 'infinity') >= upload.released_at offset 0));
