import { useEffect, useRef } from 'react'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { PATIENT_UPLOADS, type PatientUpload } from '../new-upload/new-upload.queries.ts'
import type { NewUploadPatient } from '../new-upload/new-upload-details.ts'
import { NewUploadPanel } from '../new-upload/new-upload-panel.tsx'
import { UnfinishedUpload } from '../new-upload/unfinished-upload.tsx'
import { type NewUploadState, useNewUpload } from '../new-upload/use-new-upload.ts'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { PatientUploadList } from './patient-upload-list.tsx'

const NONE: readonly PatientUpload[] = []

export interface PatientFilesProps {
  patient: NewUploadPatient & { version: number }
  /** Whether the page's own query is still loading the list; until then this component sends no request. */
  isArriving: boolean
}

/** The patient's results and the area to add files, for users with the feature `patient::files` [3.2]. */
export function PatientFiles({ patient, isArriving }: PatientFilesProps) {
  const { page, error, reload, more, region } = useListQuery(
    PATIENT_UPLOADS,
    ({ patient }) => patient.uploads,
    {
      variables: { patientId: patient.id },
      // By then the page's query has filled the cache; what it failed to load is requested here.
      skip: isArriving,
      fetchPolicy: 'cache-first',
    },
  )
  const uploads = page?.nodes ?? NONE
  const newUpload = useNewUpload(patient.id, reload)
  useCurrentChecks(newUpload, patient.version)
  useLiveUploads(
    (ids) => {
      reload()
      // Another upload may have the same file now; what the files of the own one say is read again anyway.
      if (ids && !ids.has(newUpload.open?.target.uploadId ?? '')) newUpload.checks.reload()
    },
    { patientId: patient.id },
  )
  useSafeDrops()

  const unfinished = uploads.filter(({ state, can }) => state === 'receiving' && can.addFiles)
  const waiting = unfinished.filter(({ id }) => id !== newUpload.open?.target.uploadId)
  const listed = uploads.filter((upload) => !unfinished.includes(upload))

  return (
    <>
      <NewUploadPanel
        patient={patient}
        newUpload={newUpload}
        uploads={uploads}
        unfinished={page || error ? waiting : null}
      />
      {waiting.map((upload) => (
        <UnfinishedUpload key={upload.id} upload={upload} newUpload={newUpload} />
      ))}
      <ListRegion {...region}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {page ? <PatientUploadList uploads={listed} /> : <LoadingUploads />}
          {page && uploads.length === 0 && (
            <EmptyState icon="documents" title="Nicio încărcare încă">
              Adaugă fișierele mai sus sau trage-le oriunde pe pagină; după verificare le vede instituția care
              a trimis pacientul.
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

/** Compares the files with the patient again when the patient's details change. */
function useCurrentChecks({ checks }: NewUploadState, version: number) {
  const reload = useRef(checks.reload)
  reload.current = checks.reload
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each version
  useEffect(() => reload.current(), [version])
}

/**
 * Ignores files dropped where the page takes none: the browser would open them instead of the page and interrupt
 * uploads.
 */
function useSafeDrops() {
  useEffect(() => {
    const ignoreDrop = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', ignoreDrop)
    window.addEventListener('drop', ignoreDrop)
    return () => {
      window.removeEventListener('dragover', ignoreDrop)
      window.removeEventListener('drop', ignoreDrop)
    }
  }, [])
}
