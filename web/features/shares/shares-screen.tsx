import { Card } from '../../ui/base/card.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ShareList } from './share-list.tsx'

/** The links with results of all patients: who made them, whose they are and until when they open [3.2]. */
export function SharesScreen() {
  return (
    <>
      <PageHeader
        title="Linkuri cu rezultate"
        crumbs={[{ label: 'Pacienți', link: { to: '/patients' } }, { label: 'Linkuri cu rezultate' }]}
      />
      <Card flush>
        <ShareList />
      </Card>
    </>
  )
}
