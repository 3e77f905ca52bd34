import { z } from 'zod'
import { LIMITS } from '../../../../shared/limits.ts'
import { nameKey } from '../../../../shared/romania/names.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { conflict, forbidden, invalid, invalidState, notFound } from '../../../errors.ts'
import { isId, newId } from '../../../platform/ids.ts'
import { parseInput, requiredText } from '../../../validation.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { getInstitution } from '../get-institution.ts'
import { canEditDepartments } from '../institutions.access.ts'
import {
  type DepartmentRow,
  insertDepartment,
  isNameTaken,
  lockDepartments,
  replaceDoctors,
  selectDepartment,
  selectDepartments,
  selectDoctors,
  updateDepartmentRow,
} from './departments.db.ts'

const schema = z.object({
  name: requiredText('Numele secției', LIMITS.departmentName),
  doctors: z.array(z.string()).max(LIMITS.institutionDoctors),
})

const NAME_TAKEN = [{ field: 'name', message: 'Mai există o secție cu acest nume.' }]

type Input = { name: string; doctors: readonly string[] }

/**
 * Adds a department to an institution, with its referring doctors, who leave their former departments. Throws
 * BAD_USER_INPUT for the name of another department and for a doctor whom no result of the institution names.
 */
export function createDepartment(
  ctx: UserCtx,
  { institutionId, ...input }: Input & { institutionId: string },
): Promise<DepartmentRow> {
  if (!canEditDepartments(ctx.actor)) throw forbidden('create department')
  return inTransaction(ctx, async (tx) => {
    await getInstitution(tx, institutionId)
    await lockDepartments(tx.db, institutionId)
    const { name, doctors } = parseInput(schema, input)
    const others = await selectDepartments(tx.db, [institutionId])
    if (others.length >= LIMITS.departments)
      throw invalidState('too many departments', `O instituție are cel mult ${LIMITS.departments} de secții.`)
    const department = { id: newId(), institution_id: institutionId }
    if (!(await insertDepartment(tx.db, { ...department, name, name_key: nameKey(name) })))
      throw invalid(NAME_TAKEN)
    await setDoctors(tx, department, doctors)
    await recordAudit(tx, {
      action: 'department.create',
      subject: { type: 'institution', id: institutionId },
      changes: { name: { to: name }, doctors: { to: doctors } },
    })
    return getDepartment(tx, department.id)
  })
}

/** Changes the name and the doctors of a department. Throws like `createDepartment`, and CONFLICT if it has changed. */
export function updateDepartment(
  ctx: UserCtx,
  { id, version, ...input }: Input & { id: string; version: number },
): Promise<DepartmentRow> {
  return inTransaction(ctx, async (tx) => {
    const before = await getLockedDepartment(tx, id)
    const { name, doctors } = parseInput(schema, input)
    const { institution_id } = before
    const name_key = nameKey(name)
    if (await isNameTaken(tx.db, { id, institution_id, name_key })) throw invalid(NAME_TAKEN)
    if (!(await updateDepartmentRow(tx.db, { id, version, name, name_key }, tx.now)))
      throw conflict('department')
    await setDoctors(tx, before, doctors)
    await recordAudit(tx, {
      action: 'department.update',
      subject: { type: 'institution', id: institution_id },
      changes: { name: { from: before.name, to: name }, doctors: { to: doctors } },
    })
    return getDepartment(tx, id)
  })
}

/** Returns a department that the actor may edit, whose institution is locked for it. Throws like `getDepartment`. */
export async function getLockedDepartment(tx: UserCtx, id: string): Promise<DepartmentRow> {
  const { institution_id } = await getDepartment(tx, id)
  await lockDepartments(tx.db, institution_id)
  return getDepartment(tx, id)
}

/** Returns a department that the actor may edit. Throws FORBIDDEN, and NOT_FOUND for one of another institution. */
async function getDepartment(ctx: UserCtx, id: string): Promise<DepartmentRow> {
  if (!canEditDepartments(ctx.actor)) throw forbidden('edit departments')
  const department = isId(id) ? await selectDepartment(ctx.db, id) : undefined
  if (!department) throw notFound('department')
  await getInstitution(ctx, department.institution_id)
  return department
}

async function setDoctors(
  { db }: UserCtx,
  department: { id: string; institution_id: string },
  names: readonly string[],
): Promise<void> {
  const known = new Set((await selectDoctors(db, department.institution_id)).map(({ name }) => name))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw invalid([{ field: 'doctors', message: `Niciun rezultat nu este al medicului „${unknown}”.` }])
  await replaceDoctors(db, department, names)
}
