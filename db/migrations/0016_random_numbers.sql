-- The numbers of patients and uploads are random: numbers that count up tell every institution how much the organisation does.

create function draw_number(target regclass) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  drawn bigint;
  is_taken boolean;
begin
  if target not in ('public.patient'::regclass, 'public.upload'::regclass) then
    raise exception '% has no drawn numbers', target;
  end if;
  -- Six digits while there is room, then one more.
  for digits in 6..15 loop
    for attempt in 1..3 loop
      drawn := floor((10 ^ (digits - 1)) * (1 + 9 * random()));
      execute format('select exists (select from %s where number = $1)', target) into is_taken using drawn;
      if not is_taken then
        return drawn;
      end if;
    end loop;
  end loop;
  raise exception 'no free number in %', target;
end $$;

revoke execute on function draw_number from public;
grant execute on function draw_number to dosar_staff;

alter table patient alter number drop identity;
alter table patient alter number set default draw_number('patient');
alter table upload alter number drop identity;
alter table upload alter number set default draw_number('upload');
