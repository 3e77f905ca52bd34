import { useQuery } from '@apollo/client/react'
import { getRouteApi } from '@tanstack/react-router'
import { useUser } from '../../session/use-session.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/tabs.tsx'
import { INBOX } from './inbox.queries.ts'
import { InboxTab } from './inbox-tab.tsx'
import { InstitutionPatient, InstitutionPatients } from './institution-patients.tsx'
import { ResultDialog } from './result-dialog.tsx'

const route = getRouteApi('/institution-layout/institution')

const TABS: readonly TabItem<'rezultate' | 'pacienti'>[] = [
  { id: 'rezultate', label: 'Rezultate', icon: 'inbox' },
  { id: 'pacienti', label: 'Pacienți', icon: 'users' },
]

/** Everything that an institution does, on one page: where it stands is in the address. */
export function InstitutionHome() {
  const { tab, unread, patient, upload } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <Heading />
      <Tabs
        label="Instituția mea"
        tabs={TABS}
        selected={tab ?? 'rezultate'}
        onSelect={(id) => void navigate({ search: id === 'pacienti' ? { tab: id } : {} })}
      >
        {tab === 'pacienti' ? (
          patient ? (
            <InstitutionPatient key={patient} id={patient} />
          ) : (
            <InstitutionPatients />
          )
        ) : (
          <InboxTab
            unread={unread ?? false}
            onUnread={(wanted) =>
              void navigate({ search: wanted ? { unread: true } : {}, replace: true, state: true })
            }
          />
        )}
      </Tabs>
      {upload && (
        <ResultDialog
          key={upload}
          id={upload}
          onClose={() =>
            void navigate({
              search: ({ upload: _, ...others }) => others,
              state: true,
              resetScroll: false,
            })
          }
        />
      )}
    </>
  )
}

/** Whose results these are, as the results themselves say: an account may stand for several institutions. */
function Heading() {
  const { name } = useUser()
  const { data } = useQuery(INBOX, { variables: { unread: false, search: '' }, fetchPolicy: 'cache-first' })
  const institutions = new Set(data?.inbox.nodes.flatMap(({ institution }) => institution?.name ?? []))
  return (
    <PageHeader
      title="Rezultatele pacienților dumneavoastră"
      meta={[name, ...institutions].map((each) => <span key={each}>{each}</span>)}
    />
  )
}
