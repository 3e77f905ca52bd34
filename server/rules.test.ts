import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluateRule } from '../scripts/permissions.ts'
import { UPLOAD_STATES, type UploadState } from '../shared/uploads/upload-state-list.ts'
import type { UserActor } from './context.ts'
import { belongsToInstitutions, canUsePassword, takesFeatures } from './features/accounts/accounts.access.ts'
import { institutionScope } from './features/institutions/institutions.access.ts'
import { patientScope } from './features/patients/patients.access.ts'
import { canAccept, canDecide, canRemoveFiles, uploadScope } from './features/uploads/uploads.access.ts'

/** The rules as docs/permissions.md has them: the file, the name, and the cell of each kind of person. */
const documented = readFileSync(resolve(import.meta.dirname, '../docs/permissions.md'), 'utf8')
  .split('\n### ')
  .filter((section) => section.startsWith('server/'))
  .flatMap((section) => {
    const [path, ...lines] = section.split('\n')
    return lines.flatMap((line) => {
      const name = /^\| `(\w+)` \|/.exec(line)?.[1]
      const cells = line.split('|').slice(2, -2)
      return name ? [[name, path!, cells.map((cell) => cell.trim())] as const] : []
    })
  })

const SCOPES = { uploadScope, patientScope, institutionScope }
const user = (over: Partial<UserActor> = {}): UserActor => ({
  kind: 'user',
  id: 'own',
  name: '',
  email: '',
  role: 'staff',
  features: new Set(['patient::files', 'admin::review-files']),
  mayAcceptOwn: false,
  institutionIds: [],
  sendingInstitutionIds: [],
  sessionId: '',
  provedAt: new Date(0),
  lastSeenAt: new Date(0),
  ...over,
})

describe('each rule', () => {
  it.each(documented)('%s of %s answers what docs/permissions.md says [6.4]', async (name, path, cells) => {
    const rules = (await import(/* @vite-ignore */ resolve(import.meta.dirname, '..', path))) as Record<
      string,
      never
    >
    expect(evaluateRule(rules[name]!)).toEqual(cells)
  })

  it('is documented for every file', () => {
    expect(new Set(documented.map(([, path]) => path)).size).toBeGreaterThan(10)
  })
})

describe('a scope', () => {
  it.each(Object.entries(SCOPES))(
    '%s opens everything to jobs, and nothing to programs [6.4]',
    (_name, scope) => {
      expect(scope({ kind: 'system', name: 'Dosar' })).toEqual({ kind: 'all' })
      for (const actor of [
        { kind: 'anonymous' },
        { kind: 'public', keyId: 'k', name: 'k', ofPages: false },
      ] as const) {
        const found = scope(actor)
        expect(found.kind === 'own' ? found.ids : found.kind).toEqual(found.kind === 'own' ? [] : 'none')
      }
    },
  )

  it('names whose rows they are', () => {
    const institution = user({ role: 'institution', institutionIds: ['a', 'b'] })
    expect(institutionScope(institution)).toEqual({ kind: 'own', ids: ['a', 'b'] })
    expect(patientScope(institution)).toEqual({ kind: 'referred', institutionIds: ['a', 'b'] })
    const reader = { ...institution, features: new Set(['patient::files'] as const) }
    expect(uploadScope(reader)).toEqual({ kind: 'released-to', institutionIds: ['a', 'b'] })
    expect(uploadScope(user({ features: new Set(['patient::files']) }))).toEqual({
      kind: 'staff',
      userId: 'own',
    })
    expect(uploadScope(user({ features: new Set(['admin::review-files']) }))).toEqual({
      kind: 'review',
      userId: 'own',
    })
  })
})

describe('a verdict', () => {
  const upload = { state: 'in_review', created_by: 'own', patient_id: 'p' } as const

  it('needs a patient', () => {
    const withoutPatient = { ...upload, created_by: 'another', patient_id: null }
    expect(canDecide(user(), withoutPatient)).toBe(false)
    expect(canAccept(user(), withoutPatient)).toBe(false)
  })

  it('on the own upload accepts it only where the site allows it', () => {
    expect(canAccept(user(), upload)).toBe(false)
    expect(canAccept(user({ mayAcceptOwn: true }), upload)).toBe(true)
    expect(canAccept(user({ mayAcceptOwn: true }), { ...upload, state: 'accepted' })).toBe(false)
  })
})

describe('the removal of files', () => {
  const upload = { state: 'released', created_by: 'author', patient_id: 'patient' } as const
  const remover = (over: Partial<UserActor> = {}) =>
    canRemoveFiles(user({ features: new Set(['patient::files', 'admin::remove-files']), ...over }), upload)

  it('needs the feature, the files of patients, and a role of the organisation [3.2]', () => {
    expect(remover()).toBe(true)
    expect(remover({ role: 'institution' })).toBe(false)
    expect(remover({ features: new Set(['admin::remove-files']) })).toBe(false)
    expect(remover({ features: new Set(['patient::files']) })).toBe(false)
  })

  it('from a rejected upload is also its author’s, who still files uploads', () => {
    const author = (over: Partial<UserActor> = {}, state: UploadState = 'rejected') =>
      canRemoveFiles(user({ id: 'author', features: new Set(['patient::files']), ...over }), {
        ...upload,
        state,
      })
    expect(author()).toBe(true)
    expect(author({ id: 'other' })).toBe(false)
    expect(author({ features: new Set() })).toBe(false)
    for (const state of UPLOAD_STATES.filter((each) => each !== 'rejected'))
      expect(author({}, state)).toBe(false)
  })
})

describe('the role of an account', () => {
  it.each([
    ['admin', true, true, false, false],
    ['staff', true, false, true, false],
    ['institution', true, false, false, true],
  ] as const)(
    '%s decides about passwords, features and institutions [6.1]',
    (role, local, oidc, features, belongs) => {
      expect(canUsePassword(role, 'local')).toBe(local)
      expect(canUsePassword(role, 'oidc')).toBe(oidc)
      expect(takesFeatures(role)).toBe(features)
      expect(belongsToInstitutions(role)).toBe(belongs)
    },
  )
})
