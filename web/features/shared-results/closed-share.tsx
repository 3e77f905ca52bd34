import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { formatPhone } from '../../../shared/romania/phone.ts'
import { useSite } from '../../session/use-site.ts'
import { buttonClass } from '../../ui/base/button-styles.ts'
import { ExternalLink } from '../../ui/base/link.tsx'
import { ShareLayout } from './share-layout.tsx'
import type { SharePage } from './shared-results.queries.ts'

type ClosedReason = NonNullable<SharePage['closedReason']>

const CLOSED: Readonly<Record<ClosedReason | 'unknown', { title: string; text: string }>> = {
  // To a stranger all reasons read alike.
  unknown: {
    title: 'Pagina nu se poate deschide',
    text: 'Adresa poate fi greșită, accesul poate fi expirat sau încheiat, ori pagina este blocată pentru câteva minute după mai multe încercări greșite. Verificați adresa sau codul de pe bilet și încercați din nou mai târziu.',
  },
  expired: {
    title: 'Accesul a expirat',
    text: 'Timpul în care puteați vedea rezultatele aici a trecut. Puteți cere un acces nou.',
  },
  ended: {
    title: 'Accesul a fost încheiat',
    text: 'Rezultatele nu mai pot fi văzute aici. Puteți cere un acces nou.',
  },
  locked: {
    title: 'Pagina este blocată pentru câteva minute',
    text: 'Au fost prea multe încercări greșite.',
  },
  used_up: {
    title: 'Accesul a fost folosit',
    text: 'Rezultatele au fost deschise de câte ori era permis. Puteți cere un acces nou.',
  },
  unavailable: {
    title: 'Rezultatele nu mai pot fi văzute aici',
    text: 'Au fost retrase, înlocuite sau nu mai sunt trimise în acest fel. Puteți cere un acces nou.',
  },
}

/** Says why nothing is shown, and what to do next. */
export function ClosedShare({
  reason,
  lockedUntil,
}: {
  reason: ClosedReason | null
  lockedUntil: string | null
}) {
  const { title, text } = CLOSED[reason ?? 'unknown']
  return (
    <ShareLayout title={title}>
      <div role="alert" className="grid max-w-prose gap-4">
        <p>
          {text}
          {lockedUntil && ` Se deschide din nou pe ${formatMoment(new Date(lockedUntil))}.`}
        </p>
        <Help />
      </div>
      {/* A mistyped code leads here as well. */}
      {reason === null && (
        <Link to="/s" className={buttonClass({ size: 'lg', className: 'mt-6' })}>
          Scrieți codul de pe bilet
        </Link>
      )}
    </ShareLayout>
  )
}

function Help() {
  const { name, phone } = useSite()
  const whom: ReactNode = phone ? (
    <>
      {name}, telefon <ExternalLink href={`tel:${phone}`}>{formatPhone(phone)}</ExternalLink>
    </>
  ) : (
    name
  )
  return <p>Pentru ajutor vă rugăm să vă adresați la {whom}.</p>
}
