import { ROLE_NAMES, ROLES } from '../../../shared/access/roles.ts'
import type { PublicSite } from '../../../shared/site/site-settings.ts'
import { PlainButton } from '../../ui/plain/plain-button.tsx'

/** In the demo organisation: explains the demo, and signs in as any of its accounts. */
export function DemoAccounts({
  accounts,
  pending,
  onChoose,
}: {
  accounts: PublicSite['demoAccounts']
  /** The address whose sign-in is running; null if there is none. */
  pending: string | null
  onChoose: (email: string) => void
}) {
  const byRole = ROLES.flatMap((role) =>
    accounts.filter((account) => account.role === role).map(({ email }) => ({ email, role })),
  )
  return (
    <section
      aria-labelledby="demo"
      className="grid gap-3 grid-cols-1 rounded-xl border border-dashed border-line-strong p-5 text-start sm:px-8"
    >
      <div className="grid gap-1">
        <h2 id="demo" className="text-base font-semibold text-ink">
          Aceasta este o demonstrație
        </h2>
        <p>Totul este inventat: instituțiile, pacienții, rezultatele. Alege cu ce cont intri.</p>
      </div>
      <ul className="grid grid-cols-1 gap-2">
        {byRole.map(({ email, role }) => (
          <li key={email} className="grid grid-cols-1">
            <PlainButton
              onClick={() => pending === null && onChoose(email)}
              isPending={pending === email}
              className="justify-between gap-4 text-start"
            >
              <span className="min-w-0 flex-1 truncate">{email}</span>
              <span className="text-muted">{ROLE_NAMES[role]}</span>
            </PlainButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
