import { useQuery } from '@apollo/client/react'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Feature } from '../../../shared/access/features.ts'
import { useFeature, useUser } from '../../session/use-session.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'
import { OwnAccessRequests } from '../access-requests/own-access-requests.tsx'
import { DeletionRequests } from '../incidents/deletion-requests.tsx'
import { useUnreadAnswers } from '../questions/use-unread-answers.ts'
import { FilesOff } from '../uploads/files-off.tsx'
import { BlockedLinkNotice } from '../users/blocked-link-notice.tsx'
import { INBOX } from './inbox.queries.ts'
import { InboxTab } from './inbox-tab.tsx'
import { InstitutionPatient, InstitutionPatients } from './institution-patients.tsx'
import { ResultDialog } from './result-dialog.tsx'
import { WithdrawnResults } from './withdrawn-results.tsx'

const route = getRouteApi('/institution-layout/institution')

const TABS: readonly (TabItem<'rezultate' | 'pacienti' | 'cereri' | 'intrebari' | 'profil'> & {
  feature?: Feature
})[] = [
  { id: 'rezultate', label: 'Rezultate', icon: 'inbox' },
  { id: 'pacienti', label: 'Pacienți', icon: 'users' },
  { id: 'cereri', label: 'Cereri de acces', icon: 'user-plus' },
  { id: 'intrebari', label: 'Întrebări', icon: 'help', feature: 'patient::files' },
  { id: 'profil', label: 'Profil', icon: 'hospital', feature: 'profile::institution' },
]

const OwnInstitutionsTab = lazyNamed(
  () => import('../institutions/own-institutions-tab.tsx'),
  'OwnInstitutionsTab',
)

const OwnQuestions = lazyNamed(() => import('../questions/own-questions.tsx'), 'OwnQuestions')

/** All functions of an institution on one page; tab, filters and open result are in the address. */
export function InstitutionHome() {
  const { tab, unread, patient, upload, question } = route.useSearch()
  const navigate = route.useNavigate()
  const { features } = useUser()
  const hasFiles = useFeature('patient::files')
  const unreadAnswers = useUnreadAnswers(hasFiles)
  const tabs = TABS.filter(({ feature }) => !feature || features.includes(feature)).map((each) =>
    each.id === 'intrebari' ? { ...each, count: unreadAnswers } : each,
  )
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
        {selected === 'rezultate' && hasFiles && <WithdrawnResults />}
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
        {selected === 'cereri' && <OwnAccessRequests hasFiles={hasFiles} />}
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
