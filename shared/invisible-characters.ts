/**
 * Removes invisible characters that change what people see or programs read: control characters (C0, C1),
 * format characters (bidi overrides, zero-width, soft hyphen, byte order mark) and unpaired surrogates.
 */
export const stripInvisible = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
