import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Feature } from '../../../shared/access/features.ts'
import { useFeature, useUser } from '../../session/use-session.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'
import { DeletionRequests } from '../incidents/deletion-requests.tsx'
import { FilesOff } from '../uploads/files-off.tsx'
import { BlockedLinkNotice } from '../users/blocked-link-notice.tsx'
import { InboxTab } from './inbox-tab.tsx'
import { InstitutionPatient, InstitutionPatients } from './institution-patients.tsx'
import { ResultDialog } from './result-dialog.tsx'
import { describeCounts, useInboxCounts, useTitlePrefix } from './use-inbox-counts.ts'
import { useMemberships } from './use-memberships.ts'

const route = getRouteApi('/institution-layout/institution')

const TABS: readonly (TabItem<'rezultate' | 'pacienti' | 'profil'> & { feature?: Feature })[] = [
  { id: 'rezultate', label: 'Rezultate', icon: 'inbox' },
  { id: 'pacienti', label: 'Pacienți', icon: 'users' },
  { id: 'profil', label: 'Profil', icon: 'hospital', feature: 'profile::institution' },
]

const OwnInstitutionsTab = lazyNamed(
  () => import('../institutions/own-institutions-tab.tsx'),
  'OwnInstitutionsTab',
)

/** All functions of an institution on one page; tab, filters and open result are in the address. */
export function InstitutionHome() {
  const { tab, patient, upload } = route.useSearch()
  const navigate = route.useNavigate()
  const { features } = useUser()
  const tabs = TABS.filter(({ feature }) => !feature || features.includes(feature))
  const hasFiles = useFeature('patient::files')
  const counts = useInboxCounts(hasFiles)
  const waiting = counts ? describeCounts(counts) : ''
  useTitlePrefix(waiting)
  const selected = tabs.find(({ id }) => id === tab)?.id ?? 'rezultate'
  return (
    <>
      <BlockedLinkNotice />
      <Heading />
      <Tabs
        label="Instituția mea"
        tabs={tabs.map((each) => (each.id === 'rezultate' ? { ...each, count: waiting } : each))}
        selected={selected}
        onSelect={(id) => void navigate({ search: id === 'rezultate' ? {} : { tab: id } })}
      >
        {selected === 'rezultate' && <DeletionRequests />}
        {selected === 'rezultate' && (hasFiles ? <InboxTab counts={counts} /> : <FilesOff />)}
        {selected === 'pacienti' &&
          (patient && hasFiles ? (
            <InstitutionPatient key={patient} id={patient} />
          ) : (
            <InstitutionPatients hasFiles={hasFiles} />
          ))}
        {selected === 'profil' && (
          <Suspense fallback={<Spinner className="p-4" />}>
            <OwnInstitutionsTab />
          </Suspense>
        )}
      </Tabs>
      {upload && hasFiles && (
        <ResultDialog
          key={upload}
          id={upload}
          onClose={() =>
            void navigate({
              search: ({ upload: _, ...rest }) => rest,
              state: true,
              resetScroll: false,
            })
          }
        />
      )}
    </>
  )
}

/** The page header with the names of the user's institutions. */
function Heading() {
  const { name } = useUser()
  const memberships = useMemberships()
  const institutions = (memberships ?? []).map(({ institutionName }) => institutionName)
  return (
    <PageHeader
      title="Rezultatele pacienților dumneavoastră"
      meta={[name, ...institutions].map((each) => <span key={each}>{each}</span>)}
    />
  )
}
