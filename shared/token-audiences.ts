/** What a token is good for [7.6]: GraphQL alone, the bytes of files and pictures, live updates, or the audit log as a file. */
export const TOKEN_AUDIENCES = ['graphql', 'files', 'realtime', 'export'] as const
export type TokenAudience = (typeof TOKEN_AUDIENCES)[number]
