import { useState } from 'react'
import type { Stories } from '../../catalogue/stories.ts'
import { SearchField } from './search-field.tsx'

function Filled({ isLoading }: { isLoading?: boolean }) {
  const [text, setText] = useState('Popescu')
  return <SearchField label="Caută pacienți" value={text} onChange={setText} isLoading={isLoading} />
}

export default {
  gol: () => <SearchField label="Caută pacienți" placeholder="Nume, CNP sau telefon" />,
  completat: () => <Filled />,
  'se caută': () => <Filled isLoading />,
  dezactivat: () => <SearchField label="Caută pacienți" isDisabled />,
} satisfies Stories
