import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { NEWS_VISIBILITY_NAMES } from '../../../shared/news/news.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button, IconButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { Menu } from '../../ui/overlays/menu.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { type NewsEntry, PATIENT_NEWS } from './news.queries.ts'
import type { NewsDialogProps, NewsPatient } from './news-dialogs.tsx'
import { NewsList } from './news-list.tsx'
import { useMarkNewsRead } from './use-mark-news-read.ts'

const load = () => import('./news-dialogs.tsx')
const CreateNewsDialog = lazyOnIdle(load, 'CreateNewsDialog')
const RemovedNewsDialog = lazyOnIdle(load, 'RemovedNewsDialog')
const DIALOGS = {
  edit: lazyOnIdle(load, 'EditNewsDialog'),
  pin: lazyOnIdle(load, 'PinNewsDialog'),
  history: lazyOnIdle(load, 'NewsHistoryDialog'),
  remove: lazyOnIdle(load, 'RemoveNewsDialog'),
}

/** The news about a patient, and what staff do with them, for users with the feature `patient::news` [3.2]. */
export function PatientNews({
  patient,
  isArriving,
  onReload,
}: {
  patient: NewsPatient
  /** Whether the page's own query is still loading them; until then this component sends no request. */
  isArriving: boolean
  /** Loads the patient again, whose referrals say who reads them. */
  onReload: () => Promise<unknown>
}) {
  const { data, error, refetch } = useQuery(PATIENT_NEWS, {
    variables: { patientId: patient.id },
    skip: isArriving,
    fetchPolicy: 'cache-first',
  })
  const reload = () => refetch().catch(() => undefined)
  useListChanges('NEWS', () => {
    if (!isArriving) void reload()
  })
  const news = data?.patientNews
  const isNew = useMarkNewsRead(patient.id, news)
  const [opened, setOpened] = useState<'create' | 'removed' | null>(null)
  const close = () => setOpened(null)
  const dialog = { patient, onReload, onChanged: reload }
  return (
    <Card
      title="Noutăți"
      flush={news !== undefined && news.length > 0}
      actions={
        <>
          <Button variant="quiet" icon="plus" onPress={() => setOpened('create')}>
            Scrie
          </Button>
          <Menu
            trigger={<IconButton icon="more-vertical" label="Mai multe despre noutăți" />}
            label="Mai multe despre noutăți"
            sections={[
              {
                items: [
                  {
                    id: 'removed',
                    label: 'Arată cele șterse',
                    icon: 'history',
                    onAction: () => setOpened('removed'),
                  },
                ],
              },
            ]}
          />
        </>
      }
    >
      {news === undefined && error ? (
        <ErrorState onRetry={() => void reload()}>{errorMessage(error)}</ErrorState>
      ) : news?.length ? (
        <NewsList
          news={news}
          isNew={isNew}
          describe={({ writerName, visibility }) => [
            ...(writerName ? [writerName] : []),
            NEWS_VISIBILITY_NAMES[visibility],
          ]}
          actions={(entry) => <NewsMenu entry={entry} {...dialog} />}
        />
      ) : (
        <p className="text-sm text-muted">
          Nicio notă, noutate sau avertizare. La fiecare alegi cine o mai citește.
        </p>
      )}
      {opened === 'create' && <CreateNewsDialog {...dialog} onClose={close} />}
      {opened === 'removed' && <RemovedNewsDialog patientId={patient.id} onClose={close} />}
    </Card>
  )
}

/** What staff do with an entry. */
function NewsMenu({ entry, ...dialog }: { entry: NewsEntry } & Omit<NewsDialogProps, 'entry' | 'onClose'>) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = opened && DIALOGS[opened]
  const label = `Acțiuni: ${entry.text.slice(0, 40)}`
  const item = (id: keyof typeof DIALOGS, text: string, icon: 'pencil' | 'pin' | 'history' | 'trash') => ({
    id,
    label: text,
    icon,
    onAction: () => setOpened(id),
    isDangerous: id === 'remove',
  })
  return (
    <>
      <Menu
        trigger={<IconButton icon="more-vertical" label={label} className="-my-1.5 -mr-2" />}
        label={label}
        sections={[
          {
            items: [
              item('edit', 'Modifică', 'pencil'),
              item('pin', 'Fixează', 'pin'),
              item('history', 'Versiuni și cititori', 'history'),
              item('remove', 'Șterge', 'trash'),
            ],
          },
        ]}
      />
      {Dialog && <Dialog {...dialog} entry={entry} onClose={() => setOpened(null)} />}
    </>
  )
}
