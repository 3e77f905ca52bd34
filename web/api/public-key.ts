/** The cookie in which the page brings the public API key [9.5]. It is no secret: every visitor gets it. */
const NAME = 'apollo:public.token='

/** The public key among a page's cookies; undefined where there is none. */
export const findPublicKey = (cookies: string): string | undefined =>
  cookies
    .split('; ')
    .find((cookie) => cookie.startsWith(NAME))
    ?.slice(NAME.length)
