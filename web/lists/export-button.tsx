import { useState } from 'react'
import { EXPORT_ROWS } from '../../shared/csv/csv-exports.ts'
import { counted } from '../../shared/romania/romanian.ts'
import { errorMessage } from '../api/client-error.ts'
import { fetchExport } from '../api/fetch-export.ts'
import { Button } from '../ui/base/button.tsx'
import { saveFile } from '../ui/base/save-file.ts'
import { showToast } from '../ui/feedback/toast.tsx'

const MAX_ROWS_TEXT = counted(EXPORT_ROWS, 'rând', 'rânduri')

/** Downloads the filtered list as a file for a spreadsheet. */
export function ExportButton({
  name,
  path,
  filter,
  isDisabled = false,
}: {
  /** The name of the file, without the day. */
  name: string
  path: string
  filter: Parameters<typeof fetchExport>[1]
  isDisabled?: boolean
}) {
  const [isPending, setPending] = useState(false)
  const download = async () => {
    setPending(true)
    try {
      const { file, isCut } = await fetchExport(path, filter)
      saveFile(file, `${name}-${new Date().toLocaleDateString('sv-SE')}.csv`)
      if (isCut)
        showToast({
          tone: 'info',
          title: `Fișierul are primele ${MAX_ROWS_TEXT}`,
          description: 'Restrânge filtrul pentru celelalte.',
        })
    } catch (error) {
      showToast({ tone: 'error', title: 'Lista nu a fost descărcată', description: errorMessage(error) })
    }
    setPending(false)
  }
  return (
    <Button icon="download" isPending={isPending} isDisabled={isDisabled} onPress={() => void download()}>
      Exportă CSV
    </Button>
  )
}
