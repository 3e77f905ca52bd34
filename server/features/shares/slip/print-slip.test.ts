import { expect, it } from 'vitest'
import { readQrCodes, readSlip } from '../../../../test/inspection/read-slip.ts'
import { makeShareWorld } from '../../../../test/shares/share-world.ts'
import { createTestServer } from '../../../../test/test-server.ts'

const CREATE = `mutation ($input: ShareInput!) {
  createShare(input: $input) { link pin code slip share { recipientName } } }`

it('is returned once with a share on a slip: it opens that share, and has no name, CNP or result of the patient', async () => {
  const world = await makeShareWorld(await createTestServer())
  const { createShare } = await world.client.runQuery(CREATE, {
    input: world.inputFor({ channel: 'slip', proof: 'pin' }),
  })
  const { link, pin, code, slip, share } = createShare
  const pdf = Buffer.from(slip, 'base64')
  expect(await readQrCodes(pdf)).toEqual([link])
  const { words } = await readSlip(pdf)
  expect(words).toContain(code)
  expect(words).toContain(link.slice(0, link.lastIndexOf('/')))
  const text = words.join(' ').toLowerCase()
  const { surname, given_names, cnp } = world.patient
  for (const secret of [surname, given_names, cnp, share.recipientName, world.upload.title, pin])
    expect(text).not.toContain(String(secret).toLowerCase())
  for (const opened of [link.slice(link.lastIndexOf('/') + 1), code])
    expect(await world.browser().page(opened)).toMatchObject({ state: 'proof', proof: 'pin' })
})

it('is null where the share is not handed over on a slip', async () => {
  const world = await makeShareWorld(await createTestServer())
  const { createShare } = await world.client.runQuery(CREATE, { input: world.inputFor() })
  expect(createShare).toMatchObject({ slip: null, code: null })
})
