import type { AccountOrder } from '../../../../shared/access/account-orders.ts'
import type { AccountStatus } from '../../../../shared/access/account-statuses.ts'
import { FEATURES } from '../../../../shared/access/features.ts'
import type { Role } from '../../../../shared/access/roles.ts'
import type { UserActor } from '../../../context.ts'
import { builder } from '../../../graphql/builder.ts'
import { pageArgs, pageType } from '../../../graphql/connections.ts'
import { listCodes, VERSION } from '../../../graphql/describe.ts'
import { getListedUser, listUsers } from './list-users.ts'
import type { UserRow } from './users.db.ts'

export const FEATURE_CODES = listCodes(FEATURES)

export const RoleType = builder.enumType('Role', {
  description: 'What a user may do in principle; features add to it.',
  values: {
    admin: { description: 'Everything, also accounts, settings and the audit log.' },
    staff: { description: 'Patients and uploads, with the features granted to the user.' },
    institution: { description: "Reads the released results of the user's own institutions." },
  } satisfies Record<Role, object>,
})

export const AccountStatusType = builder.enumType('AccountStatus', {
  description: 'Whether an account can be used.',
  values: {
    active: {},
    invited: { description: 'Its user has not signed in yet.' },
    suspended: { description: 'By an administrator, until it is reactivated.' },
  } satisfies Record<AccountStatus, object>,
})

const Me = builder.objectRef<UserActor>('Me').implement({
  description: 'The signed-in user.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    role: t.expose('role', { type: RoleType }),
    features: t.stringList({
      description:
        'The features in force: those that both the site and the user have. Codes such as `patient::files`; no enum, since a name may not contain `:`.',
      resolve: ({ features }) => [...features],
    }),
  }),
})

const UserInstitution = builder.objectRef<UserRow['institutions'][number]>('UserInstitution').implement({
  authScopes: { admin: true },
  description: 'An institution of a user.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    isSuspended: t.exposeBoolean('isSuspended'),
  }),
})

/** Returns whether an account has no access because of its institutions, not because of its own status. */
export const isWithoutInstitution = ({
  status,
  effective_status,
}: Pick<UserRow, 'status' | 'effective_status'>): boolean =>
  effective_status === 'suspended' && status !== 'suspended'

export const User = builder.objectRef<UserRow>('User').implement({
  authScopes: { admin: true },
  description: 'An account, as administrators see it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    version: t.exposeInt('version', VERSION),
    email: t.exposeString('email'),
    name: t.exposeString('name'),
    phone: t.exposeString('phone', { nullable: true }),
    jobTitle: t.exposeString('job_title', { nullable: true }),
    role: t.expose('role', { type: RoleType }),
    features: t.exposeStringList('features', {
      description: `The features granted, which count for the role \`staff\`: of ${FEATURE_CODES}.`,
    }),
    status: t.expose('status', { type: AccountStatusType }),
    isShutOut: t.boolean({
      description:
        "Whether all institutions of the user are suspended, and with them the user's access, while the account itself is not.",
      resolve: isWithoutInstitution,
    }),
    institutions: t.field({
      description: 'For the role `institution`; empty for the others.',
      type: [UserInstitution],
      resolve: ({ institutions }) => institutions,
    }),
    hasSecondFactor: t.exposeBoolean('has_second_factor'),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    lastSignInAt: t.expose('last_sign_in_at', {
      description: 'Null before the first sign-in.',
      type: 'DateTime',
      nullable: true,
    }),
    invitationExpiresAt: t.expose('invitation_expires_at', {
      description: 'When the link of an invited user expires; null if there is none.',
      type: 'DateTime',
      nullable: true,
    }),
  }),
})

const AccountOrderType = builder.enumType('AccountOrder', {
  description: 'The order of a list of accounts.',
  values: {
    status: { description: 'Active accounts first, then invited, then suspended ones; each group by name.' },
    name: {},
    email: {},
    role: { description: 'By the name of the role, then by name.' },
    last_sign_in: { description: 'The latest sign-in first, accounts that never signed in last.' },
  } satisfies Record<AccountOrder, object>,
})

const UserPage = pageType('UserPage', User)

builder.queryFields((t) => ({
  me: t.field({
    description: 'The signed-in user.',
    type: Me,
    authScopes: { signedIn: true },
    resolve: (_root, _args, { actor }) => actor,
  }),
  users: t.field({
    description: 'Accounts by mail address.',
    type: UserPage,
    authScopes: { admin: true },
    args: {
      ...pageArgs(t),
      search: t.arg.string({ description: 'Words of the name or the address.' }),
      role: t.arg({ type: RoleType }),
      status: t.arg({ type: AccountStatusType }),
      institutionId: t.arg.id({ description: 'Only users of this institution.' }),
      order: t.arg({ description: '`email` by default.', type: AccountOrderType }),
    },
    resolve: (_root, args, ctx) => listUsers(ctx, args),
  }),
  user: t.field({
    description: 'One account.',
    type: User,
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => getListedUser(ctx, id),
  }),
}))
