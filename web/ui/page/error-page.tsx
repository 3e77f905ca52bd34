import type { ReactNode } from 'react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { buttonClass } from '../base/button-styles.ts'
import { PlainButton } from '../plain/plain-button.tsx'

/**
 * The full-screen error pages [2.16]. They are also shown if the application cannot start, so they need no
 * router, no provider and no lazy module: the way back is a plain link, which reloads the application. `mark`
 * is the logo or the name of the organisation.
 */

export function NotFoundPage({
  mark,
  message = 'Page Not Found',
}: {
  mark: ReactNode
  message?: string | undefined
}) {
  return (
    <ErrorPage
      mark={mark}
      status={404}
      message={message}
      title="Pagina nu există"
      actions={
        <>
          <a href="/" className={buttonClass({ variant: 'primary' })}>
            Mergi la prima pagină
          </a>
          <PlainButton onClick={() => history.back()}>Înapoi</PlainButton>
        </>
      }
    >
      Adresa este greșită sau pagina nu mai este aici.
    </ErrorPage>
  )
}

export function ServerErrorPage({
  mark,
  status = 500,
  message = 'Internal Server Error',
  isUnreachable = false,
  requestId,
  at,
  onBack,
}: {
  mark: ReactNode
  status?: number | undefined
  message?: string | undefined
  /** Whether the server, or a part of the application, did not respond; nothing is known to be broken. */
  isUnreachable?: boolean | undefined
  /** The server's id of the failed request, under which the server log has the reason. */
  requestId?: string | undefined
  at: Date
  /** Returns to the screen, which is still there with what was typed; undefined if it is not. */
  onBack?: (() => void) | undefined
}) {
  return (
    <ErrorPage
      mark={mark}
      status={status}
      message={message}
      details={[formatDateTime(at.toISOString()), requestId && `cererea ${requestId}`]
        .filter(Boolean)
        .join(' · ')}
      title={isUnreachable ? 'Serverul nu răspunde' : 'Ceva nu a mers'}
      actions={
        <>
          {onBack && (
            <PlainButton variant="primary" onClick={onBack}>
              Înapoi la pagină
            </PlainButton>
          )}
          <PlainButton variant={onBack ? undefined : 'primary'} onClick={() => location.reload()}>
            {onBack ? 'Reîncarcă pagina' : 'Încearcă din nou'}
          </PlainButton>
          <a href="/" className={buttonClass({})}>
            Mergi la prima pagină
          </a>
        </>
      }
    >
      {isUnreachable
        ? 'Poate lipsi conexiunea la rețea. O nouă încercare peste câteva secunde poate reuși.'
        : 'Eroarea este a aplicației. O nouă încercare poate reuși.'}{' '}
      {onBack ? 'Ce era scris în pagină este păstrat.' : 'Ce a fost salvat este păstrat.'} Dacă se repetă,
      administratorul are nevoie de rândurile de mai jos.
    </ErrorPage>
  )
}

/** The layout of every error page. */
export function ErrorPage({
  mark,
  status,
  message,
  details,
  title,
  actions,
  children,
}: {
  mark: ReactNode
  status: number
  message: string
  /** The time of the error and the id of the request. */
  details?: string | undefined
  title: string
  actions: ReactNode
  children: ReactNode
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-10 bg-canvas px-6 py-12 text-ink">
      {mark}
      <div className="w-full max-w-lg text-center">
        <p aria-hidden="true" className="text-6xl font-semibold tracking-tight text-accent-ink">
          {status}
        </p>
        <h1 className="mt-4 text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-2 text-balance text-muted">{children}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-2">{actions}</div>
        <div className="mt-10 border-t border-line pt-4 font-mono text-sm break-words text-muted">
          <p>
            {status} · <span data-testid="error-message">{message}</span>
          </p>
          {details && <p className="mt-1">{details}</p>}
        </div>
      </div>
    </main>
  )
}
