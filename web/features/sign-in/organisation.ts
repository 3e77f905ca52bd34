import type { PublicSite } from '../../../shared/site/site-settings.ts'
import type { Brand } from '../../layouts/navigation.ts'

/** Whose house the pages are that stand alone. */
export const brandOf = ({ name, logo, branding }: PublicSite): Brand => ({
  name,
  logoUrl: logo,
  isBranded: branding,
})
