-- Searches for three words and more read the entries of two of them, and check the others in the key of the name, which these
-- entries have in their index.

-- In the order in which patients are written, so that a server that still runs waits, and neither of the two is ended.
lock table patient, patient_name_pair in share mode;

-- Whether the key of a name (nameKey) has no word with this beginning: it may be of a previous surname or another spelling.
create function hides_beginning(key text, beginning text) returns boolean language sql immutable parallel safe as $$
  select strpos(' ' || key, ' ' || beginning) = 0 and strpos(' ' || translate(key, '{|', ''), ' ' || beginning) = 0
$$;

-- The entries of such words, the other word first: about 5 % of all.
create index patient_name_pair_hidden_first on patient_name_pair (second_prefix, first_prefix, patient_id)
  include (first_word, second_word) where hides_beginning(name_key, first_prefix);
create index patient_name_pair_hidden_second on patient_name_pair (first_prefix, second_prefix, patient_id)
  include (first_word, second_word) where hides_beginning(name_key, second_prefix);

-- Names of three words and more, for searches by the beginnings of so many (`p a b`).
create index patient_by_name_of_three on patient (name_key, id)
  where deleted_at is null and merged_into is null and split_part(name_key, ' ', 3) <> '';
