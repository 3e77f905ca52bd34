import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type InteractionResults, Provider } from 'oidc-provider'
import type { Config } from '../server/config.ts'

/** An account of the provider. */
export type ProviderPerson = { sub: string; email: string; email_verified: boolean }

export type OpenIdProvider = {
  config: NonNullable<Config['oidc']>
  /**
   * Opens the redirect of the product as a browser in which this person signs in (null: cancels); returns the
   * address it ends at.
   */
  visit(address: string, person: ProviderPerson | null): Promise<URL>
  close(): Promise<void>
}

/** Starts a real OpenID provider on a free port, with one client: the product at `origin`. */
export async function startOpenIdProvider(origin: string): Promise<OpenIdProvider> {
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const client = { clientId: 'dosar', clientSecret: randomBytes(32).toString('hex') }
  const people = new Map<string, ProviderPerson>()
  /** The person at the browser; null: cancels the sign-in. */
  let visitor: ProviderPerson | null = null

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${origin}/api/auth/callback/oidc`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    findAccount: (_ctx, sub) => {
      const person = people.get(sub)
      return person && { accountId: sub, claims: () => ({ ...person }) }
    },
  })
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next()
    const { prompt, params, session } = await provider.interactionDetails(ctx.req, ctx.res)
    const finish = (result: InteractionResults) => provider.interactionFinished(ctx.req, ctx.res, result)
    ctx.respond = false
    if (!visitor) return finish({ error: 'access_denied', error_description: 'cancelled' })
    if (prompt.name === 'login') return finish({ login: { accountId: visitor.sub } })
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params.client_id),
    })
    grant.addOIDCScope(String(params.scope))
    return finish({ consent: { grantId: await grant.save() } })
  })
  http.on('request', provider.callback())

  return {
    config: { issuer, ...client, name: 'Casa' },
    visit: async (address, person) => {
      visitor = person
      if (person) people.set(person.sub, person)
      const jar = new Map<string, string>()
      let at = new URL(address)
      while (at.origin === issuer) {
        const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
          jar.set(name!, value!)
        }
        const next = response.headers.get('location')
        if (!next) throw new Error(`${at}: ${response.status} ${await response.text()}`)
        at = new URL(next, at)
      }
      return at
    },
    close: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
