import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log.ts'
import { type DatabaseConnection, isWrongPassword } from './database.ts'

/** The connections of the database's roles (decision 44). */
export type RoleConnections = {
  /** Owns the schema: for migrations only. */
  owner: DatabaseConnection
  /** `dosar_staff`, which reads every row: for users of the organisation, sign-ins and jobs. */
  staff: DatabaseConnection
  /** `dosar_guest`, which reads the rows of its institutions: for their users, and for public keys. */
  guest: DatabaseConnection
  /** `dosar_recipient`, which reads what is shared with it: for persons with a link. */
  recipient: DatabaseConnection
}

export type RolePasswords = { staff: string; guest: string; recipient: string }

const STAFF_ROLE = 'dosar_staff'
const GUEST_ROLE = 'dosar_guest'
const RECIPIENT_ROLE = 'dosar_recipient'
/** Advisory lock of the servers of a database: one at a time sets a password. */
const PASSWORD_LOCK_KEY = 7_033_002

/**
 * Returns the connections of the roles that the migrations created, after setting the passwords of those that
 * do not accept theirs: at the first start, and when the product's secret has changed.
 */
export async function connectRoles(
  owner: DatabaseConnection,
  passwords: RolePasswords,
  log: Log,
): Promise<RoleConnections> {
  const staff = connectAs(owner, STAFF_ROLE, passwords.staff)
  const guest = connectAs(owner, GUEST_ROLE, passwords.guest)
  const recipient = connectAs(owner, RECIPIENT_ROLE, passwords.recipient)
  await Promise.all([
    ensurePassword(owner, staff, STAFF_ROLE, passwords.staff, log),
    ensurePassword(owner, guest, GUEST_ROLE, passwords.guest, log),
    ensurePassword(owner, recipient, RECIPIENT_ROLE, passwords.recipient, log),
  ])
  return { owner, staff, guest, recipient }
}

/**
 * Throws an instruction for the operator when the connection is of a superuser: no wrong statement may reach
 * the operating system or switch off the protection of the audit log.
 */
export async function refuseSuperuser(owner: DatabaseConnection): Promise<void> {
  const [found] = await runAs(owner, (client) =>
    client.query<{ name: string; rolsuper: boolean }>(
      'select rolname as name, rolsuper from pg_roles where rolname = current_user',
    ),
  )
  if (found?.rolsuper)
    throw new Error(
      `DATABASE_URL connects as ${found.name}, a superuser of PostgreSQL. Create the role dosar_owner with db/create-owner.sql (README, “Run it in production”) and put it into DATABASE_URL`,
    )
}

/** Returns the same connection for another role. */
function connectAs(owner: DatabaseConnection, user: string, password: string): DatabaseConnection {
  if (owner.connectionString === undefined) return { ...owner, user, password }
  // A URL without a host (`postgres:///dosar?host=/run/postgresql`) takes no user.
  const url = new URL(owner.connectionString.replace(/^(\w+:\/\/)(?=\/)/, '$1localhost'))
  // Parameters would go before what is set here.
  for (const name of ['user', 'password']) url.searchParams.delete(name)
  url.username = user
  url.password = password
  return { ...owner, connectionString: url.href }
}

async function ensurePassword(
  owner: DatabaseConnection,
  own: DatabaseConnection,
  role: string,
  password: string,
  log: Log,
): Promise<void> {
  if (await accepts(own, role)) return
  await runAs(owner, async (client) => {
    await client.query('select pg_advisory_lock($1)', [PASSWORD_LOCK_KEY])
    // Another server with the same secret may have set it meanwhile.
    if (await accepts(own, role)) return { rows: [] }
    log.info('database: password of a role set', { role })
    const verifier = client.escapeLiteral(scramVerifier(password))
    return client.query(`alter role ${role} login password ${verifier}`)
  })
  if (!(await accepts(own, role)))
    throw new Error(`the database does not let the role ${role} connect: see its pg_hba.conf`)
}

/** Returns whether the role can connect. Throws when the connection is of another role, whose rights would be wrong. */
async function accepts(connection: DatabaseConnection, role: string): Promise<boolean> {
  try {
    const [found] = await runAs(connection, (client) =>
      client.query<{ name: string }>('select current_user as name'),
    )
    if (found?.name !== role) throw new Error(`the connection as ${role} is of the role ${found?.name}`)
    return true
  } catch (error) {
    if (isWrongPassword(error)) return false
    throw error
  }
}

async function runAs<Row>(
  connection: DatabaseConnection,
  work: (client: pg.Client) => Promise<{ rows: Row[] }>,
): Promise<Row[]> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...connection })
  // A connection that ends between two queries makes the next one fail, and does not end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await work(client)).rows
  } finally {
    await client.end()
  }
}

const ITERATIONS = 4_096

/** Returns what PostgreSQL stores for the password (RFC 5803), so that the password itself reaches no log of the server. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${sign('Server Key').toString('base64')}`
}
