import type { PublicSite } from '../../../shared/site/site-settings.ts'
import type { Brand } from '../../layouts/navigation.ts'

/** Returns the brand of the organisation for pages outside the application's layout. */
export const brandOf = ({ name, logo, branding }: PublicSite): Brand => ({
  name,
  logoUrl: logo,
  isBranded: branding,
})
