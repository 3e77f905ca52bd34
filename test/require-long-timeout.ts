import { sql } from 'kysely'
import type { TestServer } from './test-server.ts'

/** From now on uploads are changed only by statements that may take a minute. */
export async function requireLongTimeout({ db }: TestServer): Promise<void> {
  await sql`
    create function refuse_hurry() returns trigger language plpgsql as $$
    begin
      if current_setting('statement_timeout')::interval < interval '1 minute' then
        raise 'only % for this statement', current_setting('statement_timeout');
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger refuse_hurry after update on upload execute function refuse_hurry()`.execute(db)
}
