import { InMemoryCache } from '@apollo/client'
import { type DocumentNode, print } from 'graphql'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../db/factories.ts'
import { createSystemContext } from '../../server/context.ts'
import { ensureOwnApiKey, ownApiKey } from '../../server/features/site/own-api-key.ts'
import {
  LEAVE_SHARE,
  PROVE_SHARE,
  SEND_SHARE_CODE,
  SHARE_PAGE,
  SHARED_RESULTS,
} from '../../web/features/shared-results/shared-results.queries.ts'
import { createTestClient } from '../client.ts'
import type { GraphqlResponse, TestClient, TestServer } from '../test-server.ts'

export const CREATE_SHARE = `mutation ($input: ShareInput!) {
  createShare(input: $input) { link pin code share { id state expiresAt recipientName version } } }`
export const END_SHARES =
  'mutation ($ids: [ID!]!, $reason: String!) { endShares(ids: $ids, reason: $reason) { id state } }'

/** The documents of the page of a link, exactly as it sends them: its key opens no others. */
const cache = new InMemoryCache()
const textOf = (document: DocumentNode): string => print(cache.transformDocument(document))
const PAGE = {
  page: textOf(SHARE_PAGE),
  prove: textOf(PROVE_SHARE),
  sendCode: textOf(SEND_SHARE_CODE),
  results: textOf(SHARED_RESULTS),
  leave: textOf(LEAVE_SHARE),
}
const withoutTypeNames = (text: string): Partial<GraphqlResponse> =>
  JSON.parse(text, (key, value) => (key === '__typename' ? undefined : value))

export const MAKER_FEATURES = ['patient::share', 'patient::files'] as const

/** A released result of a patient, like `over`, and a member of staff who may share it. */
export async function makeShareWorld(server: TestServer, over: Parameters<typeof makeUpload>[2] = {}) {
  const { db, services } = server
  await ensureOwnApiKey(createSystemContext(services), services.config.secret)
  const maker = await makeUser(db, { role: 'staff', features: [...MAKER_FEATURES] })
  const client = await server.signIn(maker.email)
  const institution = await makeInstitution(db)
  const patient = await makePatient(db, { birth_date: '1961-04-23' })
  await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
  const release = (over: Parameters<typeof makeUpload>[2] = {}) =>
    makeUpload(db, services.storage, {
      state: 'released',
      patient_id: patient.id,
      institution_id: institution.id,
      ...over,
    })
  const upload = await release(over)
  const inputFor = (over: object = {}) => ({
    patientId: patient.id,
    uploadIds: [upload.id],
    recipientKind: 'patient',
    channel: 'link',
    proof: 'birth_date',
    reason: 'A cerut pacientul',
    ...over,
  })
  const create = async (over: object = {}, as: TestClient = client) => {
    const { createShare } = await as.runQuery(CREATE_SHARE, { input: inputFor(over) })
    return { ...createShare, id: createShare.share.id, token: createShare.link.split('/').at(-1) } as {
      id: string
      link: string
      token: string
      pin: string | null
      code: string | null
      share: { id: string; state: string; expiresAt: string; recipientName: string }
    }
  }
  return {
    server,
    maker,
    client,
    institution,
    patient,
    upload,
    release,
    inputFor,
    create,
    end: (id: string) => client.runQuery(END_SHARES, { ids: [id], reason: 'Greșit' }),
    browser: () => openBrowser(server),
  }
}
export type ShareWorld = Awaited<ReturnType<typeof makeShareWorld>>

let browsers = 0

/** A browser without an account, at an address of its own. */
export function openBrowser(server: TestServer) {
  browsers += 1
  const address = `198.51.${100 + (browsers >> 8)}.${browsers & 255}`
  const client = createTestClient(server)
  const headers = { 'x-api-key': ownApiKey(server.services.config.secret), 'x-forwarded-for': address }
  const send = (query: string, variables: object) => client.postGraphql({ query, variables }, headers)
  const read = async (query: string, variables: object) => {
    const response = await send(query, variables)
    const text = await response.text()
    const { data, errors = [] } = withoutTypeNames(text)
    if (!data || errors.length > 0)
      throw new Error(
        `${response.status} ${text}${server.logged.filter((l) => l.includes('"error"')).at(-1)}`,
      )
    return data
  }
  return {
    client,
    page: async (token: string) => (await read(PAGE.page, { token })).sharePage,
    sendPage: (token: string) => send(PAGE.page, { token }),
    prove: async (token: string, proof: string) => (await read(PAGE.prove, { token, proof })).proveShare,
    sendProof: (token: string, proof: string) => send(PAGE.prove, { token, proof }),
    results: async (token: string) => (await read(PAGE.results, { token })).sharedResults,
    sendCode: (token: string) => read(PAGE.sendCode, { token }),
    leave: (token: string) => read(PAGE.leave, { token }),
    get: (path: string, init: RequestInit = {}) =>
      client.fetch(path, { ...init, headers: { 'x-forwarded-for': address, ...init.headers } }),
  }
}
