import { PATIENT_RECORDS_PATH } from '../../../shared/patients.ts'
import { errorMessage } from '../../api/client-error.ts'
import { fetchExport } from '../../api/fetch-export.ts'
import { useFeature, useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/base/button.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'

/** Downloads everything about a patient as an archive; renders nothing for users who may not. */
export function PatientRecordButton({ id, number }: { id: string; number: number }) {
  const attempt = useAsyncAction()
  const mayReadFiles = useFeature('patient::files')
  if (useUser().role !== 'admin' || !mayReadFiles) return null
  const download = async () => {
    try {
      const { file } = await fetchExport(`${PATIENT_RECORDS_PATH}/${id}.zip`, { method: 'POST' })
      saveFile(file, `pacient-${number}.zip`)
    } catch (error) {
      showToast({ tone: 'error', title: 'Nu s-a descărcat', description: errorMessage(error) })
    }
  }
  return (
    <Button icon="download" isPending={attempt.isPending} onPress={() => void attempt.run(download)}>
      Descarcă dosarul
    </Button>
  )
}
