import type { InstitutionKind } from '../../../shared/institutions.ts'
import { LIMITS } from '../../../shared/limits.ts'
import type { Delivery } from '../../../shared/site/setting-bounds.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { VERSION, versionArg } from '../../graphql/describe.ts'
import { staffOrNull } from '../../graphql/hidden-fields.ts'
import { AccountStatusType, isWithoutInstitution } from '../accounts/users/accounts.graphql.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { AccentType } from '../site/public-site.graphql.ts'
import { getInstitution } from './get-institution.ts'
import { canEditInstitutions } from './institutions.access.ts'
import type { InstitutionRow, InstitutionUserRow, SuspensionEffects } from './institutions.db.ts'
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

export const DeliveryType = builder.enumType('Delivery', {
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
  description: 'What the reader may do with an institution.',
  fields: (t) => ({
    edit: t.exposeBoolean('edit'),
    suspend: t.exposeBoolean('suspend'),
    reactivate: t.exposeBoolean('reactivate'),
  }),
})

const InstitutionSuspension = builder.objectRef<SuspensionEffects>('InstitutionSuspension').implement({
  authScopes: { admin: true },
  description: 'The effects that suspending the institution would have now.',
  fields: (t) => ({
    losing: t.exposeInt('losing', { description: 'Accounts that would lose all access.' }),
    keeping: t.exposeInt('keeping', { description: 'Accounts that would keep another institution.' }),
    waiting: t.exposeInt('waiting', {
      description: 'Uploads being checked or reviewed, or accepted but not released to the institution yet.',
    }),
  }),
})

const InstitutionUser = builder.objectRef<InstitutionUserRow>('InstitutionUser').implement({
  description: 'A user of an institution.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    status: t.expose('status', { type: AccountStatusType }),
    isShutOut: t.boolean({
      description:
        "Whether all institutions of the user are suspended, and with them the user's access, while the account itself is not.",
      resolve: isWithoutInstitution,
    }),
    invitationExpiresAt: t.expose('invitation_expires_at', {
      description: 'When the link of an invited user expires; null if there is none.',
      type: 'DateTime',
      nullable: true,
    }),
    lastSignInAt: t.expose('last_sign_in_at', {
      description: 'Null before the first sign-in.',
      type: 'DateTime',
      nullable: true,
    }),
    lastUsedAt: t.field({
      ...staffOrNull,
      description: 'When the account was last used, to within a minute; null before the first sign-in.',
      type: 'DateTime',
      nullable: true,
      resolve: ({ last_used_at }) => last_used_at ?? null,
    }),
  }),
})

export const Institution = builder.objectRef<InstitutionRow>('Institution').implement({
  description: 'An institution that refers patients and receives their results.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    shortName: t.exposeString('short_name', {
      description: 'For lists; null if it has none.',
      nullable: true,
    }),
    kind: t.expose('kind', { type: InstitutionKindType }),
    code: t.exposeString('code', { description: 'Unique and short, chosen by the organisation.' }),
    cui: t.exposeString('cui', { description: 'The tax number.', nullable: true }),
    tradeRegister: t.exposeString('trade_register', {
      description: 'The number in the trade register.',
      nullable: true,
    }),
    county: t.exposeString('county', { description: 'The name of the county.', nullable: true }),
    locality: t.exposeString('locality', { nullable: true }),
    address: t.exposeString('address', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    contacts: t.exposeString('contacts', { description: 'Contact persons, as free text.', nullable: true }),
    delivery: t.expose('delivery', { type: DeliveryType }),
    mayUpload: t.exposeBoolean('may_upload', {
      description: 'Whether its users may send files.',
    }),
    accent: t.expose('accent', {
      description: 'The colour of its mark in lists; null: that of the site.',
      type: AccentType,
      nullable: true,
    }),
    logo: t.exposeString('logo', { description: 'The address of its logo.', nullable: true }),
    suspendedAt: t.expose('suspended_at', {
      description: 'Null while it is not suspended.',
      type: 'DateTime',
      nullable: true,
    }),
    version: t.exposeInt('version', VERSION),
    updatedAt: t.expose('updated_at', { type: 'DateTime' }),
    users: t.field({
      description: 'Its accounts, by name.',
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
  description: 'The details of an institution, all of which are replaced. A blank text is stored as null.',
  fields: (t) => ({
    name: t.string({ required: true }),
    shortName: t.string(),
    kind: t.field({ type: InstitutionKindType, required: true }),
    code: t.string({
      description: 'Letters without diacritics, digits, `.`, `_` and `-`; unique.',
      required: true,
    }),
    cui: t.string({ description: 'The tax number, with a valid check digit.' }),
    tradeRegister: t.string({ description: 'The number in the trade register.' }),
    county: t.string(),
    locality: t.string(),
    address: t.string(),
    phone: t.string(),
    email: t.string(),
    contacts: t.string({ description: 'Contact persons, as free text.' }),
    delivery: t.field({ type: DeliveryType, required: true }),
    mayUpload: t.boolean({
      description: 'Whether its users may send files.',
      required: true,
    }),
    accent: t.field({ description: 'The colour of its mark in lists.', type: AccentType }),
    logo: t.string({
      description:
        'The address that `POST /api/site-images/institution_logo` returned; of one institution only.',
    }),
  }),
})

const InstitutionProfileInput = builder.inputType('InstitutionProfileInput', {
  description:
    'What an institution may change itself; all of it is replaced. A blank text is stored as null.',
  fields: (t) => ({
    county: t.string(),
    locality: t.string(),
    address: t.string(),
    phone: t.string(),
    email: t.string(),
    contacts: t.string({ description: 'Contact persons, as free text.' }),
    delivery: t.field({ type: DeliveryType, required: true }),
  }),
})

const OWN_PROFILE = { $all: { institution: true, feature: 'profile::institution' } } as const

builder.queryFields((t) => ({
  ownInstitutions: t.field({
    description: "The reader's institutions, by name.",
    type: [Institution],
    authScopes: OWN_PROFILE,
    resolve: async (_root, _args, ctx) => (await listInstitutions(ctx, { first: LIMITS.pageSizeMax })).nodes,
  }),
  institutions: t.field({
    description: 'Institutions by name, suspended ones included.',
    type: InstitutionPage,
    authScopes: { staff: true },
    args: {
      ...pageArgs(t),
      search: t.arg.string({
        description: 'Beginnings of words of the name, the short name, the code or the locality.',
      }),
      open: t.arg.boolean({ description: 'Only those that are not suspended.' }),
    },
    resolve: (_root, args, ctx) => listInstitutions(ctx, args),
  }),
  institution: t.field({
    description: 'An institution that the reader may see; the reading is recorded.',
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
    description: 'The effects that suspending an institution would have now.',
    type: InstitutionSuspension,
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => previewSuspension(ctx, id),
  }),
}))

builder.mutationFields((t) => ({
  updateOwnInstitution: t.field({
    description: "Changes the contact data of one of the user's institutions.",
    type: Institution,
    authScopes: OWN_PROFILE,
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      profile: t.arg({ type: InstitutionProfileInput, required: true }),
    },
    resolve: (_root, args, ctx) => updateOwnInstitution(ctx, args),
  }),
  createInstitution: t.field({
    description: 'Adds an institution.',
    type: Institution,
    authScopes: { admin: true },
    args: { institution: t.arg({ type: InstitutionInput, required: true }) },
    resolve: (_root, { institution }, ctx) => createInstitution(ctx, institution),
  }),
  updateInstitution: t.field({
    description: 'Changes an institution.',
    type: Institution,
    authScopes: { admin: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      institution: t.arg({ type: InstitutionInput, required: true }),
    },
    resolve: (_root, args, ctx) => updateInstitution(ctx, args),
  }),
  suspendInstitution: t.field({
    description:
      'Suspends an institution. Accounts without another institution lose sessions, links and mail at once; nothing is deleted.',
    type: Institution,
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => suspendInstitution(ctx, args),
  }),
  reactivateInstitution: t.field({
    description: 'Ends the suspension of an institution.',
    type: Institution,
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => reactivateInstitution(ctx, args),
  }),
}))
