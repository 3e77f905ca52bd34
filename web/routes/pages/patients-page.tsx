import { useSearch } from '@tanstack/react-router'
import { PatientsScreen } from '../../features/patients/patients-screen.tsx'
import { useFeature } from '../../session/use-session.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'

const SharesScreen = lazyNamed(() => import('../../features/shares/shares-screen.tsx'), 'SharesScreen')

/** The patients, or the links with results of all of them. It is composed here because each belongs to another feature. */
export function PatientsPage() {
  const { tab } = useSearch({ from: '/admin-layout/patients' })
  const mayShare = useFeature('patient::share')
  return tab === 'linkuri' && mayShare ? <SharesScreen /> : <PatientsScreen />
}
