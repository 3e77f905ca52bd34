/**
 * Drops what shows as nothing and yet changes what people see or what programs read: control characters (C0, C1),
 * format characters (bidi overrides, zero-width, soft hyphen, byte order mark) and halves of surrogate pairs.
 */
export const stripInvisible = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
