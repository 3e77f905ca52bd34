import { Suspense } from 'react'
import { DashboardScreen } from '../../features/dashboard/dashboard-screen.tsx'
import { SetupChecklist } from '../../features/setup/lazy-setup-checklist.ts'
import { useUser } from '../../session/use-session.ts'

/** The dashboard; composed here because it does not import the setup, which is for administrators. */
export function DashboardPage() {
  const isAdmin = useUser().role === 'admin'
  return (
    <DashboardScreen
      notice={
        isAdmin && (
          <Suspense>
            <SetupChecklist />
          </Suspense>
        )
      }
    />
  )
}
