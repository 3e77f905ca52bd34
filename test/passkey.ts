import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const ORIGIN = 'http://localhost:3000'
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const encode = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

type Faults = {
  origin?: string
  rpId?: string
  /** The counter of this use; without one the key does not count, as keys that are synced. */
  counter?: number
  isVerified?: boolean
  userHandle?: string
}

/** A passkey on a device of the test, which answers like `navigator.credentials`; with `faults` like a bad device. */
export function createPasskey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let userHandle = ''
  const clientData = (type: string, challenge: string, origin = ORIGIN) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (
    { rpId = 'localhost', counter = 0, isVerified = true }: Faults,
    flags: number,
  ) => {
    const tail = Buffer.alloc(5)
    tail[0] = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), tail])
  }
  const credential = (response: object) => ({
    id: encode(id),
    rawId: encode(id),
    type: 'public-key',
    response,
  })

  return {
    /** Answers `navigator.credentials.create`. */
    create(options: { challenge: string; user: { id: string } }, faults: Faults = {}) {
      userHandle = options.user.id
      const { x, y } = publicKey.export({ format: 'jwk' })
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ])
      const length = Buffer.from([0, id.length])
      const data = Buffer.concat([
        authenticatorData(faults, HAS_CREDENTIAL),
        Buffer.alloc(16),
        length,
        id,
        cose,
      ])
      // CBOR: { fmt: 'none', attStmt: {}, authData: bytes }
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      const clientDataJSON = clientData('webauthn.create', options.challenge, faults.origin)
      return credential({
        clientDataJSON: encode(clientDataJSON),
        attestationObject: encode(attestationObject),
        transports: ['internal'],
      })
    },
    /** Answers `navigator.credentials.get`. */
    get(options: { challenge: string }, faults: Faults = {}) {
      const clientDataJSON = clientData('webauthn.get', options.challenge, faults.origin)
      const data = authenticatorData(faults, 0)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), privateKey)
      return credential({
        clientDataJSON: encode(clientDataJSON),
        authenticatorData: encode(data),
        signature: encode(signature),
        userHandle: faults.userHandle ?? userHandle,
      })
    },
  }
}
