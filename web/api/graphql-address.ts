import { initialSite } from '../session/site.ts'

/**
 * `{host}/graphql` [7.8]: on the page's own host, or on the one that the site's settings name. For as long as the page
 * stands: its policy lets it turn to no other.
 */
export const GRAPHQL_ADDRESS = `${(initialSite.url_backend ?? '').replace(/\/+$/, '')}/graphql`
