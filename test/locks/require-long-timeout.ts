import { sql } from 'kysely'
import type { TestServer } from '../test-server.ts'

/** Makes every update of an upload fail unless its statement may take at least a minute. */
export async function requireLongTimeout({ db }: TestServer): Promise<void> {
  await sql`
    create function require_long_timeout() returns trigger language plpgsql as $$
    begin
      if current_setting('statement_timeout')::interval < interval '1 minute' then
        raise 'only % for this statement', current_setting('statement_timeout');
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger require_long_timeout after update on upload execute function require_long_timeout()`.execute(
    db,
  )
}
