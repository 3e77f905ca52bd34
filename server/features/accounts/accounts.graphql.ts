import type { UserActor } from '../../context.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType, parsePage, toPage } from '../../graphql/connections.ts'
import { selectUsers, type UserRow } from './accounts.db.ts'

const Me = builder.objectRef<UserActor>('Me').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    role: t.exposeString('role'),
    features: t.stringList({ resolve: ({ features }) => [...features] }),
  }),
})

export const User = builder.objectRef<UserRow>('User').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    name: t.exposeString('name'),
    phone: t.exposeString('phone', { nullable: true }),
    jobTitle: t.exposeString('job_title', { nullable: true }),
    role: t.exposeString('role'),
    features: t.exposeStringList('features'),
    status: t.exposeString('status'),
    institutions: t.exposeStringList('institutions'),
    lastSignInAt: t.expose('last_sign_in_at', { type: 'DateTime', nullable: true }),
  }),
})

const UserPage = pageType('UserPage', User)

builder.queryFields((t) => ({
  me: t.field({ type: Me, authScopes: { signedIn: true }, resolve: (_root, _args, { actor }) => actor }),
  users: t.field({
    type: UserPage,
    authScopes: { admin: true },
    args: pageArgs(t),
    resolve: async (_root, args, ctx) => {
      const request = parsePage(args, 2)
      return toPage(await selectUsers(ctx.db, request), request, ({ email, id }) => [email, id])
    },
  }),
}))
