import { Suspense } from 'react'
import { DashboardScreen } from '../features/dashboard/dashboard-screen.tsx'
import { useUser } from '../session/use-session.ts'
import { SetupChecklist } from './setup-checklist.ts'

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
