-- A small picture of a file's first page, a WebP, for staff: guests have no privilege on this column.

alter table file add thumbnail bytea check (length(thumbnail) <= 30720);
-- It is compressed already.
alter table file alter thumbnail set storage external;
