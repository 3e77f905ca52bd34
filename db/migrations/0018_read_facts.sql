-- Files of uploads that are not decided yet and were inspected before facts were kept are read once more.

-- When the facts of the file were read; null: before they were kept. Not for institutions.
alter table file add facts_read_at timestamptz;

-- One property says why a file cannot be read.
update file set facts = facts - 'locked' || '{"unreadable": "locked"}' where facts ? 'locked';
update file set facts = facts - 'unread' || '{"unreadable": "too-large"}' where facts ? 'unread';
