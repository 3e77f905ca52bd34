-- One search for patients, uploads and results: phones from their end, localities, accession numbers, words of titles and
-- doctors, and names with a typing error.

-- The entries with exactly one word, and whether any name has it. Entries of one word share the word in the index, which
-- stays small.
create index patient_name_pair_by_word on patient_name_pair (first_word) where second_prefix = '';

-- Which of the words any name has: whole, or as a beginning. With the owner's rights, since a guest's query would read every
-- entry of a frequent name to find that none is of its patients. It returns only what it was given, and a guest's query for
-- patients with these words has the guest's own conditions.
create function known_name_words(words text[], is_whole boolean) returns setof text language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select word from unnest(words) word
  where exists (
    select from public.patient_name_pair pair
    where pair.second_prefix = '' and pair.first_word >= word collate "C"
      and pair.first_word < (word || case when is_whole then '0' else '{' end) collate "C" offset 0)
$$;
revoke execute on function known_name_words(text[], boolean) from public;
grant execute on function known_name_words(text[], boolean) to dosar_staff, dosar_guest;

-- Up to where the names of patients from before this migration have entries for neighbouring words as one and for umlauts;
-- no row: all have. The job `index-names` moves it on.
create table name_indexing (
  done_to uuid not null,
  -- Newer patients have all entries from the start.
  last_id uuid not null
);
insert into name_indexing
  select '00000000-0000-0000-0000-000000000000', id from patient order by id desc limit 1;
grant select, update, delete on name_indexing to dosar_staff;
alter table name_indexing enable row level security;
create policy staff on name_indexing to dosar_staff using (true) with check (true);

create index patient_phone_from_end on patient (reverse(phone) collate "C")
  where phone is not null and deleted_at is null and merged_into is null;

-- In small letters without diacritics, everything else but letters and digits as spaces. This function and the next two have
-- no setting of their own, so that the planner puts their expressions in their place.
create function fold_words(words text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(translate(lower(words), 'ăâîșțşţáàäéèëíóöőúüű', 'aaiststaaaeeeiooouuu'), '[^a-z0-9]+', ' ', 'g')
$$;
create index patient_by_locality on patient (fold_words(locality) collate "C")
  where locality is not null and deleted_at is null and merged_into is null;

-- An accession number without the signs between its parts, which people leave out.
create function accession_code(accession text) returns text language sql immutable strict parallel safe as $$
  select lower(translate(accession, ' -./_#', ''))
$$;
create index upload_by_accession_code on upload (accession_code(accession_number) collate "C")
  where accession_number is not null and deleted_at is null;

create function upload_words(title text, doctor text) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('pg_catalog.simple'::regconfig, public.fold_words(title || ' ' || coalesce(doctor, '')))
$$;
create index upload_by_words on upload using gin (upload_words(title, referring_doctor)) where deleted_at is null;

-- The results of a guest's institutions with these words or this beginning of an accession number, at most so many. With the
-- owner's rights, since the guest's own query may use neither index: its conditions must not see other rows. The query that
-- reads the results has all conditions of the guest.
create function find_released_uploads(wanted tsquery, code text, most integer) returns setof uuid language sql stable
security definer set search_path = pg_catalog, public, pg_temp as $$
  (select id from public.upload
    where public.upload_words(title, referring_doctor) @@ wanted and state = 'released' and deleted_at is null
      and institution_id = any(public.guest_institutions())
    limit most)
  union
  (select id from public.upload
    where public.accession_code(accession_number) collate "C" >= code
      and public.accession_code(accession_number) collate "C" < code || '~' and accession_number is not null
      and state = 'released' and deleted_at is null and institution_id = any(public.guest_institutions())
    limit most)
$$;
revoke execute on function find_released_uploads(tsquery, text, integer) from public;
grant execute on function find_released_uploads(tsquery, text, integer) to dosar_guest;
