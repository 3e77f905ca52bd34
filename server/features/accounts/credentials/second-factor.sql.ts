import { sql } from 'kysely'

/** Whether an account, a row of `app_user`, has a passkey. */
export const hasPasskey = sql<boolean>`exists (select from passkey p where p.user_id = app_user.id)`

/** Whether an account, a row of `app_user`, has a second factor: an authenticator application or a passkey. */
export const hasSecondFactor = sql<boolean>`(app_user.totp_secret is not null or ${hasPasskey})`
