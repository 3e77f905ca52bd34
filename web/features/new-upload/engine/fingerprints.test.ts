import { describe, expect, it } from 'vitest'
import { applyHashReport } from './fingerprints.ts'
import { newUploadFile } from './new-upload-file.ts'
import { createUploadFileStore } from './upload-file-store.ts'

function chooseFiles(...names: string[]) {
  const store = createUploadFileStore()
  store.add(names.map((name) => newUploadFile(new File(['rezultat'], name))))
  const [first, second] = store.getFiles()
  return { store, first: first!, second: second ?? first! }
}

const done = (id: string, letter: string) => ({ id, kind: 'done' as const, sha256: letter.repeat(64) })

describe('applyHashReport', () => {
  it('shows how many bytes are read', () => {
    const { store, first } = chooseFiles('a.pdf')
    expect(applyHashReport(store, { id: first.id, kind: 'progress', read: 5 })).toBeNull()
    expect(store.getFiles()).toMatchObject([{ status: 'hashing', done: 5 }])
  })

  it('returns the file with its fingerprint and shows it as ready', () => {
    const { store, first } = chooseFiles('a.pdf')
    expect(applyHashReport(store, done(first.id, 'a'))).toMatchObject({
      id: first.id,
      size: 8,
      sha256: 'a'.repeat(64),
    })
    expect(store.getFiles()).toMatchObject([{ status: 'ready', done: 0, sha256: 'a'.repeat(64) }])
  })

  it('shows a file with the content of another chosen file as its duplicate', () => {
    const { store, first, second } = chooseFiles('a.pdf', 'b.pdf')
    applyHashReport(store, done(first.id, 'a'))
    expect(applyHashReport(store, done(second.id, 'a'))).toBeNull()
    expect(store.getFiles()[1]).toMatchObject({ status: 'duplicate', reason: 'Același conținut ca „a.pdf”.' })
  })

  it('shows a file that cannot be read as failed', () => {
    const { store, first } = chooseFiles('a.pdf')
    expect(applyHashReport(store, { id: first.id, kind: 'unreadable' })).toBeNull()
    expect(store.getFiles()).toMatchObject([
      { status: 'failed', reason: expect.stringMatching('nu mai poate fi citit') },
    ])
  })

  it('ignores a report about a removed file', () => {
    const { store, first } = chooseFiles('a.pdf')
    store.remove(first.id)
    expect(applyHashReport(store, done(first.id, 'a'))).toBeNull()
    expect(store.getFiles()).toEqual([])
  })
})

it('one duplicate takes the place of its original in the change that removes it', () => {
  const { store, first } = chooseFiles('a.pdf', 'b.pdf', 'c.pdf')
  for (const { id } of store.getFiles()) applyHashReport(store, done(id, 'a'))
  const seen: string[][] = []
  store.subscribe(() => seen.push(store.getFiles().map(({ name, status }) => `${name} ${status}`)))
  store.remove(first.id)
  expect(seen).toEqual([['b.pdf ready', 'c.pdf duplicate']])
})
