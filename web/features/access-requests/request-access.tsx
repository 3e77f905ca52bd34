import { useState } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'

const RequestAccessSheet = lazyOnIdle(() => import('./request-access-sheet.tsx'), 'RequestAccessSheet')

/** Opens the form to request access to a patient whom the user does not find; it begins with what was searched for. */
export function RequestAccess({ search }: { search: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="user-plus" onPress={() => setOpen(true)}>
        Cere acces
      </Button>
      {isOpen && <RequestAccessSheet search={search} onClose={() => setOpen(false)} />}
    </>
  )
}
