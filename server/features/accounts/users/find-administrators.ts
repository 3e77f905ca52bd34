import type { Ctx } from '../../../context.ts'
import { selectActiveAdministrators } from './users.db.ts'

/** Returns the administrators who are to be notified of something: those whose accounts are active. */
export const findActiveAdministrators = ({
  db,
}: Ctx): Promise<{ id: string; name: string; email: string }[]> => selectActiveAdministrators(db)
