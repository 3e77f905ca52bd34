import { initialSite } from '../session/site.ts'

/**
 * `{host}/graphql` [7.8], on the page's own host or on the host that the site's settings name. Fixed until
 * the page is reloaded: the page's content security policy allows no other host.
 */
export const GRAPHQL_ADDRESS = `${(initialSite.url_backend ?? '').replace(/\/+$/, '')}/graphql`
