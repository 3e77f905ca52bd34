import { type ApolloLink, Observable } from '@apollo/client'
import { ErrorLink } from '@apollo/client/link/error'
import { FetchError } from 'ofetch'
import { errorCode } from './client-error.ts'

/** Resolves to whether the user has proved their identity; null while none is asked. */
let asked: { answer: Promise<boolean>; finish: (isProved: boolean) => void } | null = null
const listeners = new Set<() => void>()

function setAsked(next: typeof asked): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Whether an act waits for a fresh proof; the frame of the screens then shows the dialog. */
export const isProofAsked = (): boolean => asked !== null

export function subscribeProof(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Ends the waiting of all acts: they are repeated if the user has proved their identity, else they fail. */
export function finishProof(isProved: boolean): void {
  asked?.finish(isProved)
  setAsked(null)
}

/** Acts at the same time share one question. Resolves to false where no frame could show it. */
function askForProof(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  if (!asked) {
    const { promise: answer, resolve: finish } = Promise.withResolvers<boolean>()
    setAsked({ answer, finish })
  }
  return asked?.answer ?? Promise.resolve(false)
}

/** Repeats an operation that needed a fresh proof after the user has given one, so that nothing typed is lost. */
export const repeatWithProof = (): ApolloLink =>
  new ErrorLink(({ error, result, operation, forward }) => {
    if (errorCode(error) !== 'FRESH_PROOF_REQUIRED') return
    return new Observable((observer) => {
      void askForProof().then((isProved) => {
        if (isProved) forward(operation).subscribe(observer)
        else {
          if (result) observer.next(result)
          observer.complete()
        }
      })
    })
  })

/** Does the same for a plain HTTP request. */
export async function withFreshProof<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (codeOf(error) !== 'FRESH_PROOF_REQUIRED' || !(await askForProof())) throw error
    return send()
  }
}

/** Returns the code in the body of a failed response. */
const codeOf = (error: unknown): unknown =>
  error instanceof FetchError ? (error.data as { code?: unknown } | null | undefined)?.code : null
