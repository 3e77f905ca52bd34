/** How users sign in: with a password of this product, or through an OpenID provider. */
export const SIGN_IN_PROVIDERS = ['local', 'oidc'] as const
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number]

export const NO_PROVIDER_MESSAGE = 'Pe acest server nu este configurat niciun furnizor OpenID.'
