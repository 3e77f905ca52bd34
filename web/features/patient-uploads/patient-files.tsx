import { useEffect } from 'react'
import { useListQuery } from '../../api/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { PATIENT_UPLOADS, type PatientUpload } from '../new-upload/new-upload.queries.ts'
import type { NewUploadPatient } from '../new-upload/new-upload-form.tsx'
import { NewUploadPanel } from '../new-upload/new-upload-panel.tsx'
import { UnfinishedUpload } from '../new-upload/unfinished-upload.tsx'
import { useNewUpload } from '../new-upload/use-new-upload.ts'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { PatientUploadList } from './patient-upload-list.tsx'

const NONE: readonly PatientUpload[] = []

export interface PatientFilesProps {
  patient: NewUploadPatient
  /** The page's own answer is still bringing the list; until it has, nothing is asked for here. */
  isArriving: boolean
}

/** A patient's results and the place to add more, for whom the feature `patient::files` is on [3.2]. */
export function PatientFiles({ patient, isArriving }: PatientFilesProps) {
  const { page, reload, more, region } = useListQuery(PATIENT_UPLOADS, ({ patient }) => patient.uploads, {
    variables: { patientId: patient.id },
    // What the page has brought is in the cache by then; what it failed to bring is asked for.
    skip: isArriving,
    fetchPolicy: 'cache-first',
  })
  const uploads = page?.nodes ?? NONE
  const filing = useNewUpload(patient.id, uploads, reload)
  useLiveUploads(reload, { patientId: patient.id })
  useSafeDrops()

  const unfinished = uploads.filter(({ state, can }) => state === 'receiving' && can.addFiles)
  const waiting = unfinished.filter(({ id }) => id !== filing.target?.uploadId)
  const listed = uploads.filter((upload) => !unfinished.includes(upload))

  return (
    <>
      <NewUploadPanel patient={patient} filing={filing} uploads={uploads} unfinished={waiting} />
      {waiting.map((upload) => (
        <UnfinishedUpload key={upload.id} upload={upload} filing={filing} />
      ))}
      <ListRegion {...region}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {page ? <PatientUploadList uploads={listed} /> : <LoadingUploads />}
          {page && uploads.length === 0 && (
            <EmptyState icon="documents" title="Niciun rezultat încă">
              Trage fișierele în caseta de mai sus; după verificare le vede instituția care a trimis
              pacientul.
            </EmptyState>
          )}
          {more.hasMore && (
            <div className="flex justify-center">
              <Button isPending={more.isLoading} onPress={more.onLoadMore}>
                Încarcă mai multe
              </Button>
            </div>
          )}
        </div>
      </ListRegion>
    </>
  )
}

const LoadingUploads = () => (
  <Card>
    <div role="status" aria-label="Se încarcă" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Skeleton className="h-5 w-64 max-w-full" />
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton className="h-4 w-48 max-w-full" />
    </div>
  </Card>
)

/** A file dropped beside the drop area would open in place of the page, and take an upload under way with it. */
function useSafeDrops() {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
}
