import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { REGISTRAR } from '../../e2e/harness/accounts.ts'
import { issueIntegrationKey, signInClient } from '../../e2e/harness/client.ts'
import type { Product } from '../../e2e/harness/product.ts'
import { LIMITS } from '../../shared/limits.ts'
import { tusRequests } from '../../test/tus.ts'
import type { SourceFile } from '../send-files.ts'

/** Sends the files until the server has confirmed each; a second call sends all of them again. Counts repeated requests. */
export type Sender = { send(files: readonly SourceFile[]): Promise<void>; repeated: number }

/** As a page sends them. */
const PARALLEL = 4
const RETRY_MS = 250
const WATCHER = fileURLToPath(new URL('../../scripts/watch-folder/main.ts', import.meta.url))
/** How long each process that watches the folder may live, in turn. */
const WATCHER_LIVES_MS = [700, 1_500, 4_000]

/** Calls `act` for each file, some at a time; a call that fails is repeated after a pause. */
async function sendEach<T>(
  sender: Sender,
  files: readonly T[],
  act: (file: T) => Promise<void>,
): Promise<void> {
  const left = files.values()
  const run = async () => {
    for (const file of left)
      while (true)
        try {
          await act(file)
          break
        } catch {
          sender.repeated += 1
          await pause(RETRY_MS)
        }
  }
  await Promise.all(Array.from({ length: PARALLEL }, run))
}

/** As the page of a batch: the files are announced, and those that have not arrived are sent by tus. */
export async function sendByScreen({ url }: Product): Promise<Sender> {
  const client = await signInClient(url, REGISTRAR)
  const { createBatch } = await client.runQuery('mutation { createBatch(name: "Luni") { id } }')
  const announce = async (
    files: readonly SourceFile[],
  ): Promise<{ uploadId: string; isReceived: boolean; transfer: { id: string } | null }[]> => {
    const { addToBatch } = await client.runQuery(
      `mutation ($id: ID!, $files: [FileToAnnounce!]!) {
        addToBatch(batchId: $id, files: $files) { uploadId isReceived transfer { id } } }`,
      { id: createBatch.id, files: files.map(({ name, size }) => ({ key: name, name, size })) },
    )
    return addToBatch
  }
  const tus = tusRequests(client.fetch)
  const sender: Sender = {
    repeated: 0,
    send: async (files) => {
      const parts = Array.from({ length: Math.ceil(files.length / LIMITS.announcedFiles) }, (_, part) =>
        files.slice(part * LIMITS.announcedFiles, (part + 1) * LIMITS.announcedFiles),
      )
      for (const part of parts)
        await sendEach(sender, [part], async () => {
          await announce(part)
        })
      await sendEach(sender, files, async (file) => {
        const [announced] = await announce([file])
        if (announced!.isReceived) return
        const bytes = await readFile(file.path)
        // A transfer that was begun is continued: a second one would leave the draft waiting for the first.
        const path = announced!.transfer
          ? `/files/${announced!.transfer.id}`
          : await tus.begin(announced!.uploadId, bytes, file.name)
        const offset = announced!.transfer ? await tus.offset(path) : 0
        const { status } = await tus.patch(path, offset, bytes.subarray(offset))
        if (status !== 204) throw new Error(`PATCH responded ${status}`)
      })
    },
  }
  return sender
}

/** As a program: each file in a request, with an idempotency key. */
export async function sendByProgram({ url }: Product): Promise<Sender> {
  const key = await issueIntegrationKey(url)
  const sender: Sender = {
    repeated: 0,
    send: (files) =>
      sendEach(sender, files, async ({ path, name, sha256 }) => {
        const form = new FormData()
        form.append('file', new File([await readFile(path)], name))
        const headers = { authorization: `Bearer ${key}`, 'idempotency-key': name }
        const response = await fetch(`${url}/api/intake`, { method: 'POST', body: form, headers })
        const answer = (await response.json()) as { sha256?: string }
        if (!response.ok || answer.sha256 !== sha256) throw new Error(`responded ${response.status}`)
      }),
  }
  return sender
}

/** As the watched folder: the process is killed again and again until the folder is empty. */
export async function sendByFolder({ url }: Product, folder: string): Promise<Sender> {
  const key = await issueIntegrationKey(url)
  const taken = join(folder, 'preluate')
  await mkdir(taken, { recursive: true })
  const countLeft = async () =>
    (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).length
  const sender: Sender = {
    repeated: 0,
    send: async (files) => {
      for (const { path, name } of files)
        await rename(join(taken, name), join(folder, name)).catch(() => copyFile(path, join(folder, name)))
      for (let starts = 0; (await countLeft()) > 0; starts += 1) {
        const child = spawn(
          process.execPath,
          [WATCHER, folder, '--poll-seconds', '0.2', '--stable-polls', '1'],
          {
            env: { ...process.env, DOSAR_ADDRESS: url, DOSAR_INTAKE_KEY: key },
            stdio: 'ignore',
          },
        )
        const ended = once(child, 'exit')
        const until = Date.now() + WATCHER_LIVES_MS[starts % WATCHER_LIVES_MS.length]!
        while (Date.now() < until && (await countLeft()) > 0) await pause(50)
        child.kill('SIGKILL')
        await ended
        sender.repeated += 1
      }
    },
  }
  return sender
}
