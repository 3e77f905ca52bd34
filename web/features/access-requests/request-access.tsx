import { Suspense, useState } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { lazyNamed } from '../../ui/base/lazy.ts'

/** Not while the browser is idle: this module is in a script of all screens, and the sheet brings the forms with it. */
const RequestAccessSheet = lazyNamed(() => import('./request-access-sheet.tsx'), 'RequestAccessSheet')

/** Opens the form to request access to a patient whom the user does not find; it begins with what was searched for. */
export function RequestAccess({ search }: { search: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="user-plus" onPress={() => setOpen(true)}>
        Cere acces
      </Button>
      {isOpen && (
        <Suspense>
          <RequestAccessSheet search={search} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
