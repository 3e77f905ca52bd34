import type { ReactNode } from 'react'
import { buttonClass } from './button-look.ts'
import { Wordmark } from './logo.tsx'
import { NativeButton } from './native-button.tsx'

/**
 * The full-screen error pages [2.16]. They stand also where nothing else could start, so they need no router, no
 * provider and nothing that is loaded later: the way back is a plain link, which loads the application afresh.
 */

export function NotFoundPage({ message = 'Page Not Found' }: { message?: string | undefined }) {
  return (
    <ErrorPage
      status={404}
      message={message}
      title="Pagina nu există"
      actions={
        <>
          <a href="/" className={buttonClass({ variant: 'primary' })}>
            Mergi la prima pagină
          </a>
          <NativeButton onClick={() => history.back()}>Înapoi</NativeButton>
        </>
      }
    >
      Adresa este greșită sau pagina nu mai este aici. Verificați adresa sau porniți de la prima pagină.
    </ErrorPage>
  )
}

const FILE_REFUSALS: Readonly<Record<number, string>> = {
  401: 'Nu sunteți autentificat. Autentificați-vă, apoi deschideți din nou linkul.',
  404: 'Fișierul nu există sau nu aveți acces la el. Poate a fost retras între timp.',
  409: 'Fișierul nu este verificat încă sau a fost oprit la controlul automat.',
}

/** The page at the address of a file that the server refuses. */
export function RefusedFilePage({ status }: { status: number }) {
  const reason = FILE_REFUSALS[status]
  if (!reason) return <ServerErrorPage status={status} isUnreachable={status === 503} />
  return (
    <ErrorPage
      status={status}
      message="File Not Available"
      title="Fișierul nu poate fi deschis"
      actions={
        <a href="/" className={buttonClass({ variant: 'primary' })}>
          Mergi la prima pagină
        </a>
      }
    >
      {reason}
    </ErrorPage>
  )
}

export function ServerErrorPage({
  status = 500,
  message = 'Internal Server Error',
  isUnreachable = false,
}: {
  status?: number | undefined
  message?: string | undefined
  /** Nothing is broken that we know of: the server, or a part of the application, did not answer. */
  isUnreachable?: boolean | undefined
}) {
  return (
    <ErrorPage
      status={status}
      message={message}
      title={isUnreachable ? 'Serverul nu răspunde' : 'Ceva nu a mers'}
      actions={
        <>
          <NativeButton variant="primary" onClick={() => location.reload()}>
            Încearcă din nou
          </NativeButton>
          <a href="/" className={buttonClass({})}>
            Mergi la prima pagină
          </a>
        </>
      }
    >
      {isUnreachable
        ? 'Verificați rețeaua și încercați din nou peste câteva secunde.'
        : 'Eroarea este a noastră, nu a dumneavoastră. Încercați din nou.'}{' '}
      Ce ați salvat până acum este păstrat. Dacă se repetă, trimiteți administratorului rândul de mai jos.
    </ErrorPage>
  )
}

function ErrorPage({
  status,
  message,
  title,
  actions,
  children,
}: {
  status: number
  message: string
  title: string
  actions: ReactNode
  children: ReactNode
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-10 bg-canvas px-6 py-12 text-ink">
      <Wordmark />
      <div className="w-full max-w-lg text-center">
        <p aria-hidden="true" className="text-6xl font-semibold tracking-tight text-accent-ink">
          {status}
        </p>
        <h1 className="mt-4 text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-2 text-balance text-muted">{children}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-2">{actions}</div>
        <p className="mt-10 border-t border-line pt-4 font-mono text-sm break-words text-muted">
          {status} · <span data-testid="error-message">{message}</span>
        </p>
      </div>
    </main>
  )
}
