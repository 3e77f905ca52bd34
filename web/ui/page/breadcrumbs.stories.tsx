import type { Stories } from '../../catalogue/stories.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'

const link = { to: '/' } as const

export default {
  'două trepte': () => <Breadcrumbs crumbs={[{ label: 'Pacienți', link }, { label: 'Popescu Ana-Maria' }]} />,
  'trei trepte': () => (
    <Breadcrumbs
      crumbs={[
        { label: 'Instituții', link },
        { label: 'Spitalul Județean de Urgență Brașov', link },
        { label: 'Trimiterea 12' },
      ]}
    />
  ),
} satisfies Stories
