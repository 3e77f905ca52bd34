import type { ReactNode } from 'react'
import { type ErrorStatus, isErrorStatus } from '../../../shared/errors.ts'
import { buttonClass } from '../base/button-styles.ts'
import { ErrorPage, ServerErrorPage } from './error-page.tsx'

const FILE_ERROR_MESSAGES: Readonly<Partial<Record<ErrorStatus, string>>> = {
  401: 'Autentificarea este necesară. După ea, linkul se deschide din nou.',
  404: 'Fișierul nu există sau accesul la el lipsește. Poate a fost retras între timp.',
  409: 'Fișierul nu este verificat încă sau a fost oprit la controlul automat.',
}

/** The page at the address of a file that the server denies; `status` is the HTTP status. */
export function DeniedFilePage({ mark, status, at }: { mark: ReactNode; status: number; at: Date }) {
  const reason = isErrorStatus(status) && FILE_ERROR_MESSAGES[status]
  if (!reason) return <ServerErrorPage mark={mark} status={status} isUnreachable={status === 503} at={at} />
  return (
    <ErrorPage
      mark={mark}
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
