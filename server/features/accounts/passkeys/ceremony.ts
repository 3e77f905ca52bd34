import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { LIMITS } from '../../../../shared/limits.ts'
import type { Ctx } from '../../../context.ts'
import { type ChallengeUse, createChallenge, useChallenge } from './challenge.ts'
import {
  type PasskeyRow,
  selectPasskeyByCredential,
  selectPasskeys,
  updatePasskeyUse,
} from './passkeys.db.ts'

/** Loaded at the first ceremony: most processes of a server never need it. */
const library = () => import('@simplewebauthn/server')

/** Keys belong to the host name of the product's address; with another one they are lost. */
export const relyingParty = ({ services }: Pick<Ctx, 'services'>) => {
  const { hostname, origin } = new URL(services.config.url)
  return { id: hostname, origin }
}

const base64url = z
  .string()
  .max(65_536)
  .regex(/^[\w-]*$/)
const clientData = z.object({ type: z.string(), challenge: base64url })
const assertion = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
})
const attestation = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).nullish(),
  }),
})

/** Returns the challenge that was signed; null if the text cannot be read. */
function readChallenge(clientDataJSON: string): string | null {
  try {
    const text = Buffer.from(clientDataJSON, 'base64url').toString()
    return clientData.safeParse(JSON.parse(text)).data?.challenge ?? null
  } catch {
    return null
  }
}

/** Returns what the browser needs to use a passkey: of this account, or any of its own if `userId` is null. */
export async function requestPasskey(
  ctx: Ctx,
  use: ChallengeUse,
  userId: string | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  const passkeys = userId === null ? [] : await selectPasskeys(ctx.db, userId)
  return generateAuthenticationOptions({
    rpID: relyingParty(ctx).id,
    challenge: await createChallenge(ctx, use),
    userVerification: 'required',
    timeout: LIMITS.passkeyChallengeSeconds * 1000,
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports: transports as AuthenticatorTransport[],
    })),
  })
}

/**
 * Verifies the browser's response to `requestPasskey`, which uses up the challenge, and stores the use. Returns the passkey;
 * null for a wrong or used challenge, an unknown key, a wrong signature, a user who was not verified by the device, or a
 * counter that went backwards, as that of a copied key does.
 */
export async function usePasskey(ctx: Ctx, use: ChallengeUse, response: unknown): Promise<PasskeyRow | null> {
  const sent = assertion.safeParse(response).data
  const challenge = sent && readChallenge(sent.response.clientDataJSON)
  if (!sent || !challenge || !(await useChallenge(ctx, challenge, use))) return null
  const passkey = await selectPasskeyByCredential(ctx.db, Buffer.from(sent.id, 'base64url'))
  if (!passkey) return null
  const { userHandle } = sent.response
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.user_id) return null
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx)
  const { verifyAuthenticationResponse } = await library()
  // The library throws for most faults, among them a counter that did not grow.
  const verified = await verifyAuthenticationResponse({
    response: { ...sent, clientExtensionResults: {} } as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    credential: {
      id: sent.id,
      publicKey: Uint8Array.from(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => null)
  if (!verified?.verified) return null
  const { newCounter: counter, credentialBackedUp: synced } = verified.authenticationInfo
  return (await updatePasskeyUse(ctx.db, passkey, { counter, synced, now: ctx.now })) ? passkey : null
}

/** Returns what the browser needs to create a passkey that signs in by itself. */
export async function requestNewPasskey(
  ctx: Ctx,
  use: ChallengeUse,
  { id, name, email, siteName }: { id: string; name: string; email: string; siteName: string },
) {
  const { generateRegistrationOptions } = await library()
  const passkeys = await selectPasskeys(ctx.db, id)
  return generateRegistrationOptions({
    rpName: siteName,
    rpID: relyingParty(ctx).id,
    userID: Uint8Array.from(Buffer.from(id)),
    userName: email,
    userDisplayName: name,
    challenge: await createChallenge(ctx, use),
    timeout: LIMITS.passkeyChallengeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports: transports as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Verifies the browser's response to `requestNewPasskey`; returns null if it is not valid. */
export async function verifyNewPasskey(ctx: Ctx, use: ChallengeUse, response: unknown) {
  const sent = attestation.safeParse(response).data
  const challenge = sent && readChallenge(sent.response.clientDataJSON)
  if (!sent || !challenge || !(await useChallenge(ctx, challenge, use))) return null
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx)
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...sent, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) return null
  const { credential, credentialBackedUp } = registrationInfo
  return {
    credential_id: Buffer.from(credential.id, 'base64url'),
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: sent.response.transports ?? [],
    synced: credentialBackedUp,
  }
}
