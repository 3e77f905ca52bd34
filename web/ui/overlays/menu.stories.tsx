import { useState } from 'react'
import type { Stories } from '../../catalogue/stories.ts'
import { Button, IconButton } from '../base/button.tsx'
import { Menu } from './menu.tsx'

function Choice() {
  const [chosen, setChosen] = useState('date')
  const items = [
    { id: 'date', label: 'După dată' },
    { id: 'name', label: 'După nume' },
  ]
  return (
    <Menu
      label="Ordine"
      trigger={<Button trailingIcon="chevron-down">Ordine</Button>}
      sections={[{ title: 'Ordine', items, selected: chosen, onSelect: setChosen }]}
    />
  )
}

export default {
  acțiuni: () => (
    <Menu
      label="Acțiuni"
      trigger={<IconButton icon="more" label="Mai multe" />}
      sections={[
        {
          items: [
            { id: 'edit', label: 'Editează', icon: 'pencil' },
            { id: 'print', label: 'Tipărește', icon: 'printer', isDisabled: true },
            { id: 'home', label: 'Prima pagină', icon: 'home', href: '/' },
          ],
        },
        { items: [{ id: 'delete', label: 'Șterge', icon: 'trash', isDangerous: true }] },
      ]}
    />
  ),
  'cu o alegere': Choice,
  'cu antet': () => (
    <Menu
      label="Contul meu"
      trigger={<Button>Matei Ionescu</Button>}
      header={<p className="text-sm font-medium">matei@exemplu.test</p>}
      placement="bottom start"
      sections={[{ items: [{ id: 'out', label: 'Ieși din cont', icon: 'log-out' }] }]}
    />
  ),
} satisfies Stories
