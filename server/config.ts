import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { ClamdAddress } from './platform/clamd.ts'
import { MAX_WORKERS, WORKERS_OF_MACHINE } from './platform/workers/choose-workers.ts'

export type Config = {
  production: boolean
  port: number
  host: string | undefined
  /** The address that people use, without a trailing slash; the base of links and of the origin check. */
  url: string
  dataDir: string
  database: { kind: 'embedded' } | { kind: 'external'; connectionString: string }
  /** At least 32 bytes; every key of the product is derived from it. */
  secret: Buffer
  /** The address of the first account of an empty database in production. */
  adminEmail: string
  /** The SMTP server; null: mail is kept in the database and shown to the administrators. */
  smtpUrl: string | null
  /** The malware scanner; null: files are not scanned. */
  clamd: ClamdAddress | null
  /**
   * The OpenID provider, used while the site setting `login_provider` is `oidc`; null when none is
   * configured.
   */
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | null
  /** Origins that the site setting `url_backend` may name; pages send requests to no other host. */
  backendHosts: readonly string[]
  /** Whether the websocket of the GraphQL endpoint is served [7.9]; without it no page opens one. */
  realtime: boolean
  /** Whether the client's address comes from the X-Forwarded-For header of a trusted proxy. */
  trustProxy: boolean
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** How many processes answer requests; with one, the main process answers them itself. */
  workers: number
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
  CLAMD_ADDRESS: optional(z.string().optional()),
  OIDC_ISSUER: optional(z.url({ protocol: /^https?$/ }).optional()),
  OIDC_CLIENT_ID: optional(z.string().optional()),
  OIDC_CLIENT_SECRET: optional(z.string().optional()),
  OIDC_NAME: optional(z.string().default('OpenID')),
  BACKEND_HOSTS: optional(z.string().default('')),
  REALTIME: optional(z.stringbool().default(true)),
  TRUST_PROXY: optional(z.stringbool().default(false)),
  LOG_LEVEL: optional(z.enum(['debug', 'info', 'warn', 'error']).default('info')),
  WORKERS: optional(z.coerce.number().int().min(1).max(MAX_WORKERS).optional()),
})

/** An invalid setting; the message names the setting and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the settings of `.env.example`; no other code reads the environment. Creates the data folder and,
 * without AUTH_SECRET, a secret in it. Throws ConfigError, which names every invalid setting.
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
  // Parent folders stay open to others: when started as root, PostgreSQL runs as another user that must pass
  // through them.
  mkdirSync(dirname(dataDir), { recursive: true })
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  requireOwnFolder(dataDir)
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
    clamd: settings.CLAMD_ADDRESS ? readClamdAddress(settings.CLAMD_ADDRESS) : null,
    oidc: readOidc(settings),
    backendHosts: readBackendHosts(settings.BACKEND_HOSTS, production),
    realtime: settings.REALTIME,
    trustProxy: settings.TRUST_PROXY,
    logLevel: settings.LOG_LEVEL,
    // Another PostgreSQL may not allow the connections of more.
    workers: settings.WORKERS ?? (production && !settings.DATABASE_URL ? WORKERS_OF_MACHINE : 1),
  }
}

function readClamdAddress(text: string): ClamdAddress {
  if (text.startsWith('/')) return { path: text }
  const [, host, port] = /^(?:\[([0-9a-f:]+)\]|[\w.-]+):([0-9]{1,5})$/i.exec(text) ?? []
  if (!port || Number(port) > 65_535)
    throw new ConfigError(
      'CLAMD_ADDRESS: a host and port such as localhost:3310, or the path of a socket such as /run/clamav/clamd.ctl',
    )
  return { host: host ?? text.slice(0, text.lastIndexOf(':')), port: Number(port) }
}

/** Returns null when no OpenID setting is there; throws ConfigError when only some are. */
function readOidc(settings: z.infer<typeof environment>): Config['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings
  if (!issuer && !clientId && !clientSecret) return null
  if (!issuer || !clientId || !clientSecret)
    throw new ConfigError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: all of them, or none')
  return { issuer, clientId, clientSecret, name: settings.OIDC_NAME }
}

/**
 * Requires HTTPS, since bearer tokens are sent to these hosts; outside production, localhost may use plain
 * HTTP.
 */
function readBackendHosts(list: string, production: boolean): string[] {
  const hosts = list
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
  for (const host of hosts) {
    const isLocal = !production && /^http:\/\/localhost(:[0-9]+)?$/.test(host)
    if (URL.parse(host)?.origin !== host || !(isLocal || /^https:\/\/[a-z0-9.-]+(:[0-9]+)?$/.test(host)))
      throw new ConfigError(
        `BACKEND_HOSTS: ${host} is not an origin such as https://date.exemplu.ro (small letters, no path)`,
      )
  }
  return hosts
}

/** A folder of another user is most often that of a container whose image ran as root. */
function requireOwnFolder(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const user = process.getuid?.() ?? 'this user'
    throw new ConfigError(
      `DATA_DIR: ${dataDir} cannot be written by the user ${user}, as which Dosar runs; give it the folder, as root: chown -R ${user} ${dataDir}`,
    )
  }
}

function readSecret(dataDir: string): Buffer {
  const path = join(dataDir, 'secret')
  if (!existsSync(path))
    writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  return readFileSync(path)
}
