/** Returns the value of a cookie of the page; undefined if there is no cookie of that name. */
export const findCookie = (cookies: string, name: string): string | undefined =>
  cookies
    .split('; ')
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)
