import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'

export type Config = {
  production: boolean
  port: number
  host: string | undefined
  /** The address people use, without a trailing slash; links and the origin check come from it. */
  url: string
  dataDir: string
  database: { kind: 'embedded' } | { kind: 'external'; connectionString: string }
  /** At least 32 bytes; every key of the product is derived from it. */
  secret: Buffer
  /** Who gets the account that an empty database begins with, in production. */
  adminEmail: string
  /** Where mail goes out; null: it is kept, and shown to the administrators. */
  smtpUrl: string | null
  /** People of an OpenID provider, once the site setting `login_provider` is `oidc`; null: there is none. */
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | null
  /** Origins that the site setting `url_backend` may name; nothing else gets a page's requests. */
  backendHosts: readonly string[]
  /** Whether the proxy in front says who the client is (X-Forwarded-For). */
  trustProxy: boolean
  logLevel: 'debug' | 'info' | 'warn' | 'error'
}

const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)

const SAMPLE_SECRET = 'change-me'

const environment = z.object({
  NODE_ENV: optional(z.enum(['development', 'production', 'test']).default('development')),
  PORT: optional(z.coerce.number().int().min(0).max(65_535).default(3000)),
  HOST: optional(z.string().optional()),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/ }).optional()),
  DATA_DIR: optional(z.string().optional()),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ }).optional()),
  AUTH_SECRET: optional(
    z
      .string()
      .min(32, 'must have at least 32 characters (openssl rand -base64 48)')
      .refine((secret) => !secret.startsWith(SAMPLE_SECRET), 'is still the sample value')
      .optional(),
  ),
  ADMIN_EMAIL: optional(z.email().default('admin@dosar.local')),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ }).optional()),
  OIDC_ISSUER: optional(z.url({ protocol: /^https?$/ }).optional()),
  OIDC_CLIENT_ID: optional(z.string().optional()),
  OIDC_CLIENT_SECRET: optional(z.string().optional()),
  OIDC_NAME: optional(z.string().default('OpenID')),
  BACKEND_HOSTS: optional(z.string().default('')),
  TRUST_PROXY: optional(z.stringbool().default(false)),
  LOG_LEVEL: optional(z.enum(['debug', 'info', 'warn', 'error']).default('info')),
})

/** A setting that cannot be used; the message names it and says what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the settings of `.env.example` from the environment; the only reader of it. Makes the data folder and, with the
 * embedded database, a secret of its own in it. Throws ConfigError, naming every setting that is wrong.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    )
  }
  const settings = parsed.data
  const production = settings.NODE_ENV === 'production'
  const asRoot = process.getuid?.() === 0
  const dataDir = resolve(settings.DATA_DIR ?? (asRoot ? '/var/lib/dosar' : 'data'))
  if (production && settings.DATABASE_URL && !settings.AUTH_SECRET) {
    throw new ConfigError('AUTH_SECRET: needed in production with DATABASE_URL (openssl rand -base64 48)')
  }
  // What is above it stays open to others: as root, PostgreSQL runs as a user that must pass through.
  mkdirSync(dirname(dataDir), { recursive: true })
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return {
    production,
    port: settings.PORT,
    host: settings.HOST,
    url: (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, ''),
    dataDir,
    database: settings.DATABASE_URL
      ? { kind: 'external', connectionString: settings.DATABASE_URL }
      : { kind: 'embedded' },
    secret: settings.AUTH_SECRET ? Buffer.from(settings.AUTH_SECRET) : readSecret(dataDir),
    adminEmail: settings.ADMIN_EMAIL.toLowerCase(),
    smtpUrl: settings.SMTP_URL ?? null,
    oidc: readOidc(settings),
    backendHosts: readBackendHosts(settings.BACKEND_HOSTS, production),
    trustProxy: settings.TRUST_PROXY,
    logLevel: settings.LOG_LEVEL,
  }
}

/** Off, or on with all its settings. */
function readOidc(settings: z.infer<typeof environment>): Config['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings
  if (!issuer && !clientId && !clientSecret) return null
  if (!issuer || !clientId || !clientSecret)
    throw new ConfigError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: all of them, or none')
  return { issuer, clientId, clientSecret, name: settings.OIDC_NAME }
}

/** Bearer tokens go there, so over TLS; on the machine itself without it, where that is for trying out. */
function readBackendHosts(list: string, production: boolean): string[] {
  const hosts = list
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
  for (const host of hosts) {
    const local = !production && /^http:\/\/localhost(:[0-9]+)?$/.test(host)
    if (URL.parse(host)?.origin !== host || !(local || /^https:\/\/[a-z0-9.-]+(:[0-9]+)?$/.test(host)))
      throw new ConfigError(
        `BACKEND_HOSTS: ${host} is not an origin such as https://date.exemplu.ro (small letters, no path)`,
      )
  }
  return hosts
}

function readSecret(dataDir: string): Buffer {
  const path = join(dataDir, 'secret')
  if (!existsSync(path))
    writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  return readFileSync(path)
}
