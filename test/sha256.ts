import { createHash } from 'node:crypto'

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
