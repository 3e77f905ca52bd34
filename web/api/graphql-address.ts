import { ownBackend } from '../session/site.ts'

/** `{host}/graphql` [7.8]: on the page's own host, or on the one that the site's settings name. */
export const GRAPHQL_ADDRESS = `${ownBackend().replace(/\/+$/, '')}/graphql`
