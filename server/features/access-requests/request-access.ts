import { z } from 'zod'
import { findBirthDateError, NOT_BIRTH_DATE_OF_CNP } from '../../../shared/birth-dates.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { maskCnp, maskCnps, parseCnp } from '../../../shared/romania/cnp.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, UserError } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { optionalCnp, optionalPastDay, optionalText, parseInput, requiredText } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getInstitution } from '../institutions/get-institution.ts'
import type { InstitutionRow } from '../institutions/institutions.db.ts'
import { canRequestAccess } from './access-requests.access.ts'
import {
  countRequests,
  insertAccessRequest,
  lockRequestsOf,
  type NewAccessRequest,
  selectSameOpen,
} from './access-requests.db.ts'

const schema = z.object({
  institutionId: z.string(),
  surname: requiredText('Numele', 100),
  givenNames: requiredText('Prenumele', 100),
  birthDate: optionalPastDay('Data nașterii').refine((day) => day !== null, 'Data nașterii este necesară.'),
  cnp: optionalCnp,
  purpose: requiredText('Scopul', LIMITS.accessPurpose),
  doctor: optionalText('Medicul trimițător'),
  number: optionalText('Numărul trimiterii', 60),
})

const DAY_MS = 24 * 3_600_000

/**
 * Sends a request for access to a patient, for a user of the institution. No patient is looked up, so that the answer is the
 * same for every patient, whether or not there is one. Throws TOO_MANY beyond the limits of a day; a request that was sent
 * already and waits for its decision is not sent twice.
 */
export async function requestAccess(ctx: UserCtx, input: unknown): Promise<boolean> {
  if (!canRequestAccess(ctx.actor)) throw forbidden('request access')
  const { institutionId, ...values } = readInput(input)
  return inTransaction(ctx, async (tx) => {
    const institution = await getInstitution(tx, institutionId)
    const request = {
      id: newId(),
      institution_id: institution.id,
      created_by: tx.actor.id,
      created_at: tx.now,
      ...values,
    }
    await lockRequestsOf(tx.db, tx.actor.id, institution.id)
    if (await isSent(tx, request)) return true
    await requireWithinLimits(tx, institution.id)
    await insertAccessRequest(tx.db, request)
    await recordAudit(tx, {
      action: 'access-request.create',
      subject: { type: 'access-request', id: request.id },
    })
    await publish(tx.db, { kind: 'access-request', institutionId: institution.id })
    return true
  })
}

/** Returns the institutions in whose name the actor may request access. */
export async function listRequestInstitutions(ctx: UserCtx): Promise<InstitutionRow[]> {
  if (!canRequestAccess(ctx.actor)) throw forbidden('list own institutions')
  return Promise.all(ctx.actor.institutionIds.map((id) => getInstitution(ctx, id)))
}

/** Returns the columns of a request. Only the field of the CNP keeps one: the others are read by the user's colleagues. */
function readInput(input: unknown) {
  const { institutionId, surname, givenNames, birthDate, cnp, purpose, doctor, number } = parseInput(
    schema,
    input,
  )
  const known = cnp === null ? null : parseCnp(cnp)
  const message =
    known?.ok && known.birthDate !== null && known.birthDate !== birthDate
      ? NOT_BIRTH_DATE_OF_CNP
      : findBirthDateError(birthDate!, todayInRomania())
  if (message) throw invalid([{ field: 'birthDate', message }])
  const mask = (text: string | null) => text && maskCnps(text)
  return {
    institutionId,
    surname: maskCnps(surname),
    given_names: maskCnps(givenNames),
    birth_date: birthDate!,
    cnp,
    purpose: maskCnps(purpose),
    doctor: mask(doctor),
    number: mask(number),
  }
}

async function isSent(tx: UserCtx, request: NewAccessRequest): Promise<boolean> {
  const cnp = request.cnp && maskCnp(request.cnp)
  return (await selectSameOpen(tx.db, request)).some(
    (sent) =>
      sent.cnp_masked === cnp &&
      sent.purpose === request.purpose &&
      sent.doctor === request.doctor &&
      sent.number === request.number,
  )
}

async function requireWithinLimits(tx: UserCtx, institutionId: string): Promise<void> {
  const since = new Date(tx.now.getTime() - DAY_MS)
  const { ofUser, ofInstitution } = await countRequests(tx.db, tx.actor.id, institutionId, since)
  if (ofUser >= LIMITS.accessRequestsOfUser)
    throw tooMany(`Ați trimis ${LIMITS.accessRequestsOfUser} de cereri`)
  if (ofInstitution >= LIMITS.accessRequestsOfInstitution)
    throw tooMany(`Instituția a trimis ${LIMITS.accessRequestsOfInstitution} de cereri`)
}

const tooMany = (what: string) =>
  new UserError(
    'TOO_MANY',
    'too many access requests',
    `${what} de acces în ultimele 24 de ore, cât este permis. Încercați mâine sau sunați la centru.`,
  )
