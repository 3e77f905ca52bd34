import { useState } from 'react'
import type { Stories } from '../../catalogue/stories.ts'
import { type TabItem, Tabs } from './tabs.tsx'

function TabsStory({ tabs }: { tabs: readonly TabItem[] }) {
  const [selected, setSelected] = useState(tabs[0]?.id ?? '')
  return (
    <Tabs label="Trimiteri" tabs={tabs} selected={selected} onSelect={setSelected}>
      {tabs.find(({ id }) => id === selected)?.label}
    </Tabs>
  )
}

const tabs = [
  { id: 'new', label: 'Noi' },
  { id: 'review', label: 'De verificat' },
  { id: 'released', label: 'Publicate' },
]

export default {
  simple: () => <TabsStory tabs={tabs} />,
  'cu pictograme și numere': () => (
    <TabsStory
      tabs={[
        { id: 'inbox', label: 'Primite', icon: 'inbox', count: 12 },
        { id: 'patients', label: 'Pacienți', icon: 'users', count: 0 },
      ]}
    />
  ),
  'mai multe decât încap': () => (
    <div className="max-w-72">
      <TabsStory
        tabs={[...tabs, { id: 'returned', label: 'Întoarse' }, { id: 'archived', label: 'Arhivate' }]}
      />
    </div>
  ),
} satisfies Stories
