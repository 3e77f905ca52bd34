import { useState } from 'react'
import { isUnreachable } from '../../page-errors/error-facts.ts'
import { getBlockedLink, setBlockedLink } from '../../session/blocked-link.ts'
import { signOut } from '../../session/session.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'

/** Shown if an invitation was opened in a browser in which an institution's user is signed in. */
export function BlockedLinkNotice() {
  const [link, setLink] = useState(getBlockedLink)
  const [isPending, setPending] = useState(false)
  if (!link) return null

  const dismiss = () => {
    setBlockedLink(null)
    setLink(null)
  }
  const open = async () => {
    setPending(true)
    try {
      await signOut()
      location.assign(link)
    } catch (error) {
      setPending(false)
      if (!isUnreachable(error)) throw error
      showToast({
        tone: 'error',
        title: 'Sunteți încă autentificat',
        description: 'Deconectarea nu a ajuns la server. Verificați rețeaua și încercați din nou.',
      })
    }
  }
  return (
    <Alert
      tone="warning"
      isLive
      title="Linkul este pentru alt cont"
      className="mb-5"
      actions={
        <>
          <Button variant="primary" isPending={isPending} onPress={() => void open()}>
            Deconectare și deschidere
          </Button>
          <Button onPress={dismiss}>Rămân în acest cont</Button>
        </>
      }
    >
      Deconectați-vă ca să îl deschideți.
    </Alert>
  )
}
