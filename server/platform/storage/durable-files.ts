import { open } from 'node:fs/promises'

/**
 * Makes the entries of a folder durable: a new, linked or renamed file survives a power failure only after
 * this call.
 */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Catches the error of a file that is not there. */
export function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
