import { useQuery } from '@apollo/client/react'
import { useFeature } from '../../session/use-session.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { useListChanges } from '../site/use-list-changes.ts'
import { PATIENT_NEWS } from './news.queries.ts'
import { NewsList } from './news-list.tsx'
import { useMarkNewsRead } from './use-mark-news-read.ts'

/** The news about a patient for users of institutions; nothing without any, or without the feature `patient::news` [3.2]. */
export function ShownNews({ patientId, className }: { patientId: string; className?: string }) {
  const hasNews = useFeature('patient::news')
  const { data, refetch } = useQuery(PATIENT_NEWS, {
    variables: { patientId },
    fetchPolicy: 'cache-and-network',
    skip: !hasNews,
  })
  useListChanges('NEWS', () => {
    if (hasNews) void refetch().catch(() => undefined)
  })
  const news = hasNews ? (data?.patientNews ?? []) : []
  const isNew = useMarkNewsRead(patientId, news)
  if (news.length === 0) return null
  return (
    <section
      aria-label="Noutăți despre pacient"
      className={classNames('overflow-y-auto rounded-lg border border-line bg-surface', className)}
    >
      <NewsList news={news} isNew={isNew} />
    </section>
  )
}
