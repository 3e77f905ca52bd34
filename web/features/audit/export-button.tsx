import { useState } from 'react'
import { AUDIT_EXPORT_ROWS } from '../../../shared/audit/audit-export.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { exportLogs } from './export-logs.ts'
import type { LogFilters } from './log-filters.ts'

const MAX_ROWS_TEXT = counted(AUDIT_EXPORT_ROWS, 'înregistrare', 'înregistrări')

/** Downloads the filtered audit log as a file for a spreadsheet. */
export function ExportButton({ filters }: { filters: LogFilters }) {
  const [isPending, setPending] = useState(false)
  const fetchFile = async () => {
    setPending(true)
    try {
      const { isCut } = await exportLogs(filters)
      if (isCut)
        showToast({
          tone: 'info',
          title: `Fișierul are cele mai noi ${MAX_ROWS_TEXT}`,
          description: 'Alege o perioadă mai scurtă pentru cele dinainte.',
        })
    } catch (error) {
      showToast({ tone: 'error', title: 'Jurnalul nu a fost descărcat', description: errorMessage(error) })
    }
    setPending(false)
  }
  return (
    <Button icon="download" isPending={isPending} onPress={() => void fetchFile()}>
      Descarcă CSV
    </Button>
  )
}
