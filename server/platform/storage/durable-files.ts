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
