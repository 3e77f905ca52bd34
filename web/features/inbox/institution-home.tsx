import { useQuery } from '@apollo/client/react'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Feature } from '../../../shared/access/features.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useFeature, useUser } from '../../session/use-session.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'
import { DeletionRequests } from '../incidents/deletion-requests.tsx'
import { useUnreadAnswers } from '../questions/use-unread-answers.ts'
import { FilesOff } from '../uploads/files-off.tsx'
import { BlockedLinkNotice } from '../users/blocked-link-notice.tsx'
import { InboxTab } from './inbox-tab.tsx'
import { INSTITUTION_HOME } from './institution-home.queries.ts'
import { InstitutionPatient, InstitutionPatients } from './institution-patients.tsx'
import { WithdrawnResults } from './recalls/withdrawn-results.tsx'
import { ResultDialog } from './result/result-dialog.tsx'
import { describeCounts, useInboxCounts, useTitlePrefix } from './use-inbox-counts.ts'
import { useMemberships } from './use-memberships.ts'

const route = getRouteApi('/institution-layout/institution')

type TabId = 'rezultate' | 'pacienti' | 'trimite' | 'cereri' | 'intrebari' | 'profil'
const TABS: readonly (TabItem<TabId> & { feature?: Feature })[] = [
  { id: 'rezultate', label: 'Rezultate', icon: 'inbox' },
  { id: 'pacienti', label: 'Pacienți', icon: 'users' },
  // Only for users of institutions that may send files.
  { id: 'trimite', label: 'Trimite fișiere', icon: 'paper-plane', feature: 'patient::files' },
  { id: 'cereri', label: 'Cereri de acces', icon: 'user-plus' },
  { id: 'intrebari', label: 'Întrebări', icon: 'help', feature: 'patient::files' },
  { id: 'profil', label: 'Profil', icon: 'hospital', feature: 'profile::institution' },
]

const OwnInstitutionsTab = lazyNamed(
  () => import('../institutions/own-institutions-tab.tsx'),
  'OwnInstitutionsTab',
)

const OwnAccessRequests = lazyNamed(
  () => import('../access-requests/own-access-requests.tsx'),
  'OwnAccessRequests',
)

const OwnQuestions = lazyNamed(() => import('../questions/own-questions.tsx'), 'OwnQuestions')
const SentTab = lazyNamed(() => import('../sent-uploads/sent-tab.tsx'), 'SentTab')

/** All functions of an institution on one page; tab, filters and open result are in the address. */
export function InstitutionHome() {
  const { tab, patient, upload, question, row } = route.useSearch()
  const navigate = route.useNavigate()
  const { features } = useUser()
  const hasFiles = useFeature('patient::files')
  const isInbox = (tab ?? 'rezultate') === 'rezultate'
  const home = useQuery(INSTITUTION_HOME, {
    variables: { withRequests: isInbox, withFiles: hasFiles, withRecalls: isInbox && hasFiles },
  })
  // Other tabs ask for less.
  const institutions = (home.data ?? home.previousData)?.sendingInstitutions ?? []
  // A reload of the tab keeps it until it is known whether the user may send files.
  const maySend = institutions.length > 0 || (tab === 'trimite' && home.loading)
  const unreadAnswers = useUnreadAnswers(hasFiles)
  const counts = useInboxCounts(hasFiles)
  const waiting = counts ? describeCounts(counts) : ''
  useTitlePrefix(waiting)
  const tabCounts: Partial<Record<TabId, number | string>> = { rezultate: waiting, intrebari: unreadAnswers }
  const tabs = TABS.filter(
    ({ id, feature }) => (!feature || features.includes(feature)) && (id !== 'trimite' || maySend),
  ).map((each) => ({ ...each, count: tabCounts[each.id] }))
  const selected = tabs.find(({ id }) => id === tab)?.id ?? 'rezultate'
  return (
    <>
      <BlockedLinkNotice />
      <Heading />
      <Tabs
        label="Instituția mea"
        tabs={tabs}
        selected={selected}
        onSelect={(id) => void navigate({ search: id === 'rezultate' ? {} : { tab: id } })}
      >
        {home.error && !home.data && (
          <ErrorState onRetry={() => void home.refetch().catch(() => undefined)} isRetrying={home.loading}>
            {errorMessage(home.error)}
          </ErrorState>
        )}
        {selected === 'rezultate' && <DeletionRequests />}
        {selected === 'rezultate' && hasFiles && <WithdrawnResults />}
        {selected === 'rezultate' && (hasFiles ? <InboxTab counts={counts} /> : <FilesOff />)}
        {selected === 'pacienti' &&
          (patient && hasFiles ? (
            <InstitutionPatient key={patient} id={patient} />
          ) : (
            <InstitutionPatients hasFiles={hasFiles} />
          ))}
        {selected === 'trimite' && (
          <Suspense fallback={<Spinner className="p-4" />}>
            {institutions.length > 0 && <SentTab institutions={institutions} namedId={row ?? null} />}
          </Suspense>
        )}
        {selected === 'cereri' && (
          <Suspense fallback={<Spinner className="p-4" />}>
            <OwnAccessRequests hasFiles={hasFiles} namedId={row ?? null} />
          </Suspense>
        )}
        {selected === 'intrebari' && (
          <Suspense fallback={<Spinner className="p-4" />}>
            <OwnQuestions
              openId={question ?? null}
              onClose={() => void navigate({ search: { tab: 'intrebari' }, resetScroll: false })}
            />
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
          id={upload}
          onOpen={(id) =>
            void navigate({
              search: (search) => ({ ...search, upload: id }),
              replace: true,
              state: true,
              resetScroll: false,
            })
          }
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
