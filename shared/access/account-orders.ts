/** The orders of the list of accounts; all except `last_sign_in` are ascending. */
export const ACCOUNT_ORDERS = ['status', 'name', 'email', 'role', 'last_sign_in'] as const
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number]
