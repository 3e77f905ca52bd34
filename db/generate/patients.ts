import { sql } from 'kysely'
import type { Db } from '../../server/platform/database/database.ts'
import { nameKey, namePairs, searchWords } from '../../shared/romania/names.ts'
import { PLACES, STREETS } from '../demo/people.ts'
import { chance, pick, pickWeighted } from './draws.ts'

import { MANY_FEMALE_NAMES, MANY_MALE_NAMES, MANY_SURNAMES } from './names.ts'

/** From this day every new CNP has the county code 70. */
const COUNTY_70_SINCE = '2024-05-08'

/**
 * Draws `count` people and their referrals, oldest first, into the temporary table `person`. `n` is a person's place in
 * that order; the same `n` is the same person at every run of this size.
 */
export async function drawPeople(
  tx: Db,
  { count, institutions }: { count: number; institutions: number },
): Promise<void> {
  await sql`create temp table person (
    n bigint, id uuid, created_at timestamptz(3), is_female boolean, birth_date date, place integer,
    surname text collate "C", given_names text collate "C", previous_surname text collate "C", cnp text,
    first_institution integer, second_institution integer) on commit drop`.execute(tx)
  const girl = pickWeighted(MANY_FEMALE_NAMES, chance('n', 'given name'))
  const boy = pickWeighted(MANY_MALE_NAMES, chance('n', 'given name'))
  const secondGirl = pickWeighted(MANY_FEMALE_NAMES, chance('n', 'second name'))
  const secondBoy = pickWeighted(MANY_MALE_NAMES, chance('n', 'second name'))
  const counties = PLACES.map(({ code }) => code)
  const among = institutions
  const checkSum = sql.join(
    [...'279146358279'].map(
      (weight, place) =>
        sql`${sql.lit(Number(weight))} * (ascii(substr(twelve, ${sql.lit(place + 1)}, 1)) - 48)`,
    ),
    sql` + `,
  )
  // Ages as in a waiting room; a few institutions refer many; a serial counts those born on one day, of one sex, in one
  // county. Each `offset 0` makes PostgreSQL evaluate the drawn values below it once, not at every use.
  await sql`
    insert into person
    select n, pg_temp.id_at(created_at, n, 'patient'), created_at, is_female, birth_date, place,
      case when ${chance('n', 'double surname')} < 0.03 then surname || '-' || other_surname else surname end,
      case when ${chance('n', 'two names')} < 0.12 and second_name <> given_name
        then given_name || case when ${chance('n', 'hyphen')} < 0.6 then '-' else ' ' end || second_name
        else given_name end,
      case when is_female and ${chance('n', 'married')} < 0.15 then other_surname else '' end,
      case when ${chance('n', 'no cnp')} >= 0.02 then twelve || case when check_sum % 11 = 10 then 1 else check_sum % 11 end end,
      first_institution,
      case when ${chance('n', 'second institution')} < 0.3
        then mod(first_institution + 1 + floor(${chance('n', 'which second')} * ${among - 1}::int)::int, ${among}::int) end
    from (
      select *, ${checkSum} as check_sum,
        ${pickWeighted(MANY_SURNAMES, chance('n', 'surname'))} as surname,
        ${pickWeighted(MANY_SURNAMES, chance('n', 'other surname'))} as other_surname,
        case when is_female then ${girl} else ${boy} end as given_name,
        case when is_female then ${secondGirl} else ${secondBoy} end as second_name
      from (
        select *, nine || lpad(row_number() over (partition by nine order by n)::text, 3, '0') as twelve
        from (
          select *, (case when birth_date < '2000-01-01' then 1 else 5 end + is_female::int)::text
            || to_char(birth_date, 'YYMMDD') || lpad((case when birth_date >= ${COUNTY_70_SINCE}::date then 70
              else (${counties}::int[])[1 + place] end)::text, 2, '0') as nine
          from (
            select n, created_at, ${chance('n', 'sex')} < 0.56 as is_female,
              floor(${chance('n', 'place')} * ${PLACES.length}::int)::int as place,
              floor(${among}::int * ${chance('n', 'institution')} ^ 2)::int as first_institution,
              created_at::date - 1 - floor(365 * case when ${chance('n', 'child')} < 0.08
                then 18 * ${chance('n', 'age')} else 18 + 72 * ${chance('n', 'age')} ^ 1.2 end)::int as birth_date
            from (select n, pg_temp.moment((n - 1) / ${count}::float8) as created_at
              from generate_series(1, ${count}::int) n offset 0) came offset 0) born offset 0) coded offset 0) numbered offset 0) named
    order by n`.execute(tx)
  await sql`create index on person (n)`.execute(tx)
  await sql`analyze person`.execute(tx)
}

/** Distinct names in one round trip. */
const NAMES_AT_ONCE = 20_000

type Name = { surname: string; given_names: string; previous_surname: string }

/**
 * Writes the sort and search keys of each drawn name into the temporary tables `naming` and `naming_pair`,
 * with the product's
 * own functions, once a name.
 */
async function keyNames(tx: Db): Promise<void> {
  await sql`create temp table naming (id integer, surname text collate "C", given_names text collate "C", previous_surname text collate "C",
    name_key text collate "C", mailbox text) on commit drop`.execute(tx)
  await sql`create temp table naming_pair (naming_id integer, first_prefix text, second_prefix text, first_word text,
    second_word text) on commit drop`.execute(tx)
  const { rows: names } = await sql<Name>`
    select distinct surname, given_names, previous_surname from person
    order by surname, given_names, previous_surname`.execute(tx)
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    const part = names.slice(from, from + NAMES_AT_ONCE).map((name, place) => ({ id: from + place, ...name }))
    await sql`insert into naming select * from unnest(${part.map(({ id }) => id)}::int[],
      ${part.map(({ surname }) => surname)}::text[], ${part.map(({ given_names }) => given_names)}::text[],
      ${part.map(({ previous_surname }) => previous_surname)}::text[],
      ${part.map(({ surname, given_names }) => nameKey(`${surname} ${given_names}`))}::text[],
      ${part.map(({ surname, given_names }) => searchWords(`${given_names} ${surname}`).slice(0, 2).join('.'))}::text[])`.execute(
      tx,
    )
    const pairs = part.flatMap(({ id, surname, given_names, previous_surname }) =>
      namePairs([surname, given_names, previous_surname]).map((pair) => ({ id, ...pair })),
    )
    await sql`insert into naming_pair select * from unnest(${pairs.map(({ id }) => id)}::int[],
      ${pairs.map(({ firstPrefix }) => firstPrefix)}::text[], ${pairs.map(({ secondPrefix }) => secondPrefix)}::text[],
      ${pairs.map(({ firstWord }) => firstWord)}::text[], ${pairs.map(({ secondWord }) => secondWord)}::text[])`.execute(
      tx,
    )
  }
  await sql`analyze naming, naming_pair`.execute(tx)
}

/** Writes the drawn people as patients, with their search entries. */
export async function insertPatients(tx: Db): Promise<void> {
  await keyNames(tx)
  const addresses = PLACES.map(({ postalCode }) => postalCode)
  const mail = sql`${chance('n', 'email')} < 0.55`
  await sql`
    insert into patient (id, number, surname, given_names, previous_surname, cnp, other_ids, birth_date, sex, phone, email, county,
      locality, address, preferred_channel, consents, notes, name_key, created_at, updated_at)
    select person.id, 100000 + n, surname, given_names, nullif(previous_surname, ''), cnp,
      case when cnp is null then jsonb_build_array(jsonb_build_object('kind', 'passport', 'country', 'MD',
        'value', 'B' || lpad(n::text, 8, '0'))) else '[]' end,
      birth_date, case when is_female then 'female' else 'male' end,
      case when ${chance('n', 'phone')} < 0.85 then '+407' || (20 + floor(60 * ${chance('n', 'network')}))::text
        || '555' || lpad(floor(1000 * ${chance('n', 'line')})::text, 3, '0') end,
      case when ${mail} then mailbox || '@exemplu.test' end,
      (${PLACES.map(({ county }) => county)}::text[])[1 + place],
      (${PLACES.map(({ locality }) => locality)}::text[])[1 + place],
      ${pick(STREETS, chance('n', 'street'))} || ' nr. ' || (1 + floor(140 * ${chance('n', 'house')}))::text
        || ', ' || (${addresses}::text[])[1 + place],
      case when ${mail} then 'email' when ${chance('n', 'channel')} < 0.5 then 'phone' else 'paper' end,
      'Acord de prelucrare a datelor și de transmitere către medicul trimițător, semnat la recepție.',
      case when ${chance('n', 'note')} < 0.05 then 'Preferă programări dimineața.' end,
      name_key, created_at, created_at
    from person join naming using (surname, given_names, previous_surname) order by n`.execute(tx)
  await sql`
    insert into patient_name_pair (first_prefix, second_prefix, name_key, patient_id, first_word, second_word)
    select first_prefix, second_prefix, name_key, person.id, first_word, second_word
    from person join naming using (surname, given_names, previous_surname) join naming_pair on naming_id = naming.id`.execute(
    tx,
  )
}

/** Writes the referrals of the drawn people; institutions and their doctors are in the table `referring`. */
export async function insertReferrals(tx: Db, registrarId: string): Promise<void> {
  await sql`
    insert into referral (id, patient_id, institution_id, doctor, referred_on, number, created_by, created_at)
    select pg_temp.id_at(created_at, n, 'referral ' || institution), person.id, referring.id,
      referring.doctors[1 + floor(3 * ${chance('n', 'doctor')})::int], created_at::date,
      'BT ' || lpad(floor(1000000 * ${chance('n', 'slip')})::text, 6, '0'), ${registrarId}::uuid, created_at
    from person
      cross join lateral (values (first_institution), (second_institution)) as sent (institution)
      join referring on referring.place = institution
    order by n, institution`.execute(tx)
}
