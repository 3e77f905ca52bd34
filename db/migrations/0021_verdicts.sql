-- What a verdict was based on, and whether its reviewer has undone it.

alter table review
  -- The files that the reviewer's screen had shown or downloaded; null for a verdict of before this was recorded, or of
  -- the product.
  add column opened_file_ids uuid[],
  -- Until when the reviewer can undo it; null: not at all.
  add column undo_until timestamptz(3),
  add column undone_at timestamptz(3);

comment on column review.checks is
  'The holds of the gate at the verdict, which accepted the upload for the reason of the review; of older verdicts the CNPs of other people.';
