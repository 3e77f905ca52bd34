import './graphql/scalars.ts'
import './features/site/api-keys.graphql.ts'
import './features/site/public-site.graphql.ts'
import './features/messages/messages.graphql.ts'
import './features/accounts/links/account-links.graphql.ts'
import './features/accounts/users/accounts.graphql.ts'
import './features/accounts/own-account/security.graphql.ts'
import './features/settings/site-changes.graphql.ts'
import './features/accounts/users/users.graphql.ts'
import './features/settings/site-settings.graphql.ts'
import './features/institutions/institutions.graphql.ts'
import './features/patients/patients.graphql.ts'
import './features/categories/categories.graphql.ts'
import './features/uploads/uploads.graphql.ts'
import './features/matching/matching.graphql.ts'
import './features/reviews/reviews.graphql.ts'
import './features/search/search.graphql.ts'
import './features/dashboard/dashboard.graphql.ts'
import './features/audit/audit.graphql.ts'
import './features/system/system.graphql.ts'
import { specifiedDirectives } from 'graphql'
import { builder } from './graphql/builder.ts'
import { deferDirective } from './graphql/defer.ts'
import { describePermissions } from './graphql/describe.ts'

/** The whole schema: each feature adds its types and fields when its module is imported. */
export const schema = describePermissions(
  builder.toSchema({ directives: [...specifiedDirectives, deferDirective] }),
)
