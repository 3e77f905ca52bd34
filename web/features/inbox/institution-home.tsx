import { useQuery } from '@apollo/client/react'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Feature } from '../../../shared/access/features.ts'
import { useFeature, useUser } from '../../session/use-session.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'
import { DeletionRequests } from '../incidents/deletion-requests.tsx'
import { SENDING_INSTITUTIONS } from '../sent-uploads/sent-uploads.queries.ts'
import { FilesOff } from '../uploads/files-off.tsx'
import { BlockedLinkNotice } from '../users/blocked-link-notice.tsx'
import { INBOX } from './inbox.queries.ts'
import { InboxTab } from './inbox-tab.tsx'
import { InstitutionPatient, InstitutionPatients } from './institution-patients.tsx'
import { ResultDialog } from './result-dialog.tsx'

const route = getRouteApi('/institution-layout/institution')

const TABS: readonly (TabItem<'rezultate' | 'pacienti' | 'trimite' | 'profil'> & { feature?: Feature })[] = [
  { id: 'rezultate', label: 'Rezultate', icon: 'inbox' },
  { id: 'pacienti', label: 'Pacienți', icon: 'users' },
  // Only for users of institutions that may send files.
  { id: 'trimite', label: 'Trimite fișiere', icon: 'paper-plane', feature: 'patient::files' },
  { id: 'profil', label: 'Profil', icon: 'hospital', feature: 'profile::institution' },
]

const OwnInstitutionsTab = lazyNamed(
  () => import('../institutions/own-institutions-tab.tsx'),
  'OwnInstitutionsTab',
)

const SentTab = lazyNamed(() => import('../sent-uploads/sent-tab.tsx'), 'SentTab')

/** All functions of an institution on one page; tab, filters and open result are in the address. */
export function InstitutionHome() {
  const { tab, unread, patient, upload } = route.useSearch()
  const navigate = route.useNavigate()
  const { features } = useUser()
  const sending = useQuery(SENDING_INSTITUTIONS, { fetchPolicy: 'cache-and-network' })
  const institutions = sending.data?.sendingInstitutions ?? []
  // A reload of the tab keeps it until it is known whether the user may send files.
  const maySend = institutions.length > 0 || (tab === 'trimite' && sending.loading)
  const tabs = TABS.filter(
    ({ id, feature }) => (!feature || features.includes(feature)) && (id !== 'trimite' || maySend),
  )
  const hasFiles = useFeature('patient::files')
  const selected = tabs.find(({ id }) => id === tab)?.id ?? 'rezultate'
  return (
    <>
      <BlockedLinkNotice />
      <Heading hasFiles={hasFiles} />
      <Tabs
        label="Instituția mea"
        tabs={tabs}
        selected={selected}
        onSelect={(id) => void navigate({ search: id === 'rezultate' ? {} : { tab: id } })}
      >
        {selected === 'rezultate' && <DeletionRequests />}
        {selected === 'rezultate' &&
          (hasFiles ? (
            <InboxTab
              unread={unread ?? false}
              onUnread={(isUnread) =>
                void navigate({ search: isUnread ? { unread: true } : {}, replace: true, state: true })
              }
            />
          ) : (
            <FilesOff />
          ))}
        {selected === 'pacienti' &&
          (patient && hasFiles ? (
            <InstitutionPatient key={patient} id={patient} />
          ) : (
            <InstitutionPatients hasFiles={hasFiles} />
          ))}
        {selected === 'trimite' && (
          <Suspense fallback={<Spinner className="p-4" />}>
            {institutions.length > 0 && <SentTab institutions={institutions} />}
          </Suspense>
        )}
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

/**
 * The page header with the institutions' names, taken from the results: a user may belong to several
 * institutions.
 */
function Heading({ hasFiles }: { hasFiles: boolean }) {
  const { name } = useUser()
  const { data } = useQuery(INBOX, {
    variables: { unread: false, search: '' },
    fetchPolicy: 'cache-first',
    skip: !hasFiles,
  })
  const institutions = new Set(data?.inbox.nodes.flatMap(({ institution }) => institution?.name ?? []))
  return (
    <PageHeader
      title="Rezultatele pacienților dumneavoastră"
      meta={[name, ...institutions].map((each) => <span key={each}>{each}</span>)}
    />
  )
}
