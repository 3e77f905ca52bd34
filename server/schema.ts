import './graphql/scalars.ts'
import './features/accounts/accounts.graphql.ts'
import './features/institutions/institutions.graphql.ts'
import './features/patients/patients.graphql.ts'
import './features/categories/categories.graphql.ts'
import './features/uploads/uploads.graphql.ts'
import './features/reviews/reviews.graphql.ts'
import './features/dashboard/dashboard.graphql.ts'
import './features/audit/audit.graphql.ts'
import { builder } from './graphql/builder.ts'

/** The whole schema: each feature adds its own types and fields when its module is read. */
export const schema = builder.toSchema()
