-- Files of uploads that are not decided yet and were inspected before facts were kept are read once more.

-- When the facts of the file were read; null: before they were kept. Not for institutions.
alter table file add facts_read_at timestamptz;

-- One property says why a file cannot be read.
update file set facts = facts - 'locked' || '{"unreadable": "locked"}' where facts ? 'locked';
update file set facts = facts - 'unread' || '{"unreadable": "too-large"}' where facts ? 'unread';

-- What is known of the other files until then.
insert into file_fact (file_id, position, kind, value, place)
select file.id, found.position, 'cnp', found.cnp, '{"in": "text"}'
from file cross join lateral jsonb_array_elements_text(file.cnps -> 'found') with ordinality as found (cnp, position)
where file.removed_at is null;
