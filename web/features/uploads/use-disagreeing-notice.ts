import { useEffect, useRef } from 'react'
import { showToast } from '../../ui/feedback/toast.tsx'

type ListedUpload = { id: string; number: number; isDisagreeing: boolean | null }

/**
 * Notifies the user when the check of an upload in the list finds another person in one of its files: the upload was in the
 * list before, without the mark.
 */
export function useDisagreeingNotice(uploads: readonly ListedUpload[]): void {
  const known = useRef(new Map<string, boolean>())
  useEffect(() => {
    for (const { id, number, isDisagreeing } of uploads) {
      if (isDisagreeing && known.current.get(id) === false)
        showToast({
          tone: 'error',
          title: 'Un fișier spune alt pacient',
          description: `Încărcarea nr. ${number}: uită-te al cui este documentul.`,
        })
      known.current.set(id, isDisagreeing ?? false)
    }
  }, [uploads])
}
