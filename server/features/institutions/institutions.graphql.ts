import type { InstitutionKind } from '../../../shared/institutions.ts'
import { LIMITS } from '../../../shared/limits.ts'
import type { Delivery } from '../../../shared/site/setting-bounds.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { AccountStatusType, isWithoutInstitution } from '../accounts/users/accounts.graphql.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getInstitution } from './get-institution.ts'
import { canEditInstitutions } from './institutions.access.ts'
import type { InstitutionRow, InstitutionUserRow, Suspension } from './institutions.db.ts'
import { listInstitutionUsers } from './list-institution-users.ts'
import { listInstitutions } from './list-institutions.ts'
import { createInstitution, updateInstitution } from './save-institution.ts'
import { previewSuspension, reactivateInstitution, suspendInstitution } from './suspend-institution.ts'
import { updateOwnInstitution } from './update-own-institution.ts'

const InstitutionKindType = builder.enumType('InstitutionKind', {
  description: 'What an institution is.',
  values: {
    clinic: {},
    hospital: {},
    laboratory: {},
    practice: { description: 'The practice of one or more doctors.' },
    other: {},
  } satisfies Record<InstitutionKind, object>,
})

const DeliveryType = builder.enumType('Delivery', {
  description: 'When an institution is notified by mail of new results.',
  values: {
    at_once: { description: 'At each result.' },
    hourly: {},
    daily: {},
    none: { description: 'Never.' },
  } satisfies Record<Delivery, object>,
})

type Abilities = { edit: boolean; suspend: boolean; reactivate: boolean }

const InstitutionAbilities = builder.objectRef<Abilities>('InstitutionAbilities').implement({
  fields: (t) => ({
    edit: t.exposeBoolean('edit'),
    suspend: t.exposeBoolean('suspend'),
    reactivate: t.exposeBoolean('reactivate'),
  }),
})

const InstitutionSuspension = builder.objectRef<Suspension>('InstitutionSuspension').implement({
  description: 'The effects that suspending the institution would have now.',
  fields: (t) => ({
    /** Accounts that would lose all access. */
    losing: t.exposeInt('losing'),
    /** Accounts that would keep another institution. */
    keeping: t.exposeInt('keeping'),
    /** Results not released to the institution yet. */
    waiting: t.exposeInt('waiting'),
  }),
})

const InstitutionUser = builder.objectRef<InstitutionUserRow>('InstitutionUser').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    status: t.expose('status', { type: AccountStatusType }),
    isShutOut: t.boolean({ resolve: isWithoutInstitution }),
    invitationExpiresAt: t.expose('invitation_expires_at', { type: 'DateTime', nullable: true }),
    lastSignInAt: t.expose('last_sign_in_at', { type: 'DateTime', nullable: true }),
  }),
})

export const Institution = builder.objectRef<InstitutionRow>('Institution').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    shortName: t.exposeString('short_name', { nullable: true }),
    kind: t.expose('kind', { type: InstitutionKindType }),
    code: t.exposeString('code'),
    cui: t.exposeString('cui', { nullable: true }),
    tradeRegister: t.exposeString('trade_register', { nullable: true }),
    county: t.exposeString('county', { nullable: true }),
    locality: t.exposeString('locality', { nullable: true }),
    address: t.exposeString('address', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    contacts: t.exposeString('contacts', { nullable: true }),
    delivery: t.expose('delivery', { type: DeliveryType }),
    mayUpload: t.exposeBoolean('may_upload'),
    color: t.exposeString('color', { nullable: true }),
    suspendedAt: t.expose('suspended_at', { type: 'DateTime', nullable: true }),
    version: t.exposeInt('version'),
    updatedAt: t.expose('updated_at', { type: 'DateTime' }),
    users: t.field({
      type: [InstitutionUser],
      resolve: ({ id }, _args, ctx) => listInstitutionUsers(ctx, id),
    }),
    can: t.field({
      type: InstitutionAbilities,
      resolve: ({ suspended_at }, _args, { actor }) => {
        const edit = canEditInstitutions(actor)
        return { edit, suspend: edit && suspended_at === null, reactivate: edit && suspended_at !== null }
      },
    }),
  }),
})

const InstitutionPage = pageType('InstitutionPage', Institution)

const InstitutionInput = builder.inputType('InstitutionInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    shortName: t.string(),
    kind: t.field({ type: InstitutionKindType, required: true }),
    code: t.string({ required: true }),
    cui: t.string(),
    tradeRegister: t.string(),
    county: t.string(),
    locality: t.string(),
    address: t.string(),
    phone: t.string(),
    email: t.string(),
    contacts: t.string(),
    delivery: t.field({ type: DeliveryType, required: true }),
    mayUpload: t.boolean({ required: true }),
    color: t.string(),
  }),
})

const InstitutionProfileInput = builder.inputType('InstitutionProfileInput', {
  fields: (t) => ({
    county: t.string(),
    locality: t.string(),
    address: t.string(),
    phone: t.string(),
    email: t.string(),
    contacts: t.string(),
    delivery: t.field({ type: DeliveryType, required: true }),
  }),
})

const OWN_PROFILE = { $all: { institution: true, feature: 'profile::institution' } } as const

builder.queryFields((t) => ({
  /** The reader's institutions, by name. */
  ownInstitutions: t.field({
    type: [Institution],
    authScopes: OWN_PROFILE,
    resolve: async (_root, _args, ctx) => (await listInstitutions(ctx, { first: LIMITS.pageSizeMax })).nodes,
  }),
  institutions: t.field({
    type: InstitutionPage,
    authScopes: { staff: true },
    args: { ...pageArgs(t), search: t.arg.string(), open: t.arg.boolean() },
    resolve: (_root, args, ctx) => listInstitutions(ctx, args),
  }),
  institution: t.field({
    type: Institution,
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, ctx) => {
      const institution = await getInstitution(ctx, id)
      await recordAudit(ctx, { action: 'institution.read', subject: { type: 'institution', id } })
      return institution
    },
  }),
  institutionSuspension: t.field({
    type: InstitutionSuspension,
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => previewSuspension(ctx, id),
  }),
}))

builder.mutationFields((t) => ({
  updateOwnInstitution: t.field({
    type: Institution,
    authScopes: OWN_PROFILE,
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({ required: true }),
      profile: t.arg({ type: InstitutionProfileInput, required: true }),
    },
    resolve: (_root, args, ctx) => updateOwnInstitution(ctx, args),
  }),
  createInstitution: t.field({
    type: Institution,
    authScopes: { admin: true },
    args: { institution: t.arg({ type: InstitutionInput, required: true }) },
    resolve: (_root, { institution }, ctx) => createInstitution(ctx, institution),
  }),
  updateInstitution: t.field({
    type: Institution,
    authScopes: { admin: true },
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({ required: true }),
      institution: t.arg({ type: InstitutionInput, required: true }),
    },
    resolve: (_root, args, ctx) => updateInstitution(ctx, args),
  }),
  /** Accounts without another institution lose sessions, links and mail at once. Nothing is deleted. */
  suspendInstitution: t.field({
    type: Institution,
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }), version: t.arg.int({ required: true }) },
    resolve: (_root, args, ctx) => suspendInstitution(ctx, args),
  }),
  reactivateInstitution: t.field({
    type: Institution,
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }), version: t.arg.int({ required: true }) },
    resolve: (_root, args, ctx) => reactivateInstitution(ctx, args),
  }),
}))
