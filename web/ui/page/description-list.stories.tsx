import type { Stories } from '../../catalogue/stories.ts'
import { DescriptionList } from './description-list.tsx'

export default {
  date: () => (
    <DescriptionList
      items={[
        { label: 'Data nașterii', value: '03.04.1985' },
        { label: 'Telefon', value: null },
        { label: 'Adresă', value: 'Strada Lungă nr. 5, Brașov, județul Brașov', isWide: true },
      ]}
    />
  ),
} satisfies Stories
