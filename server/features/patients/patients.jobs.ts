import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { indexNames } from './search/index-names.ts'

export const patientJobs = {
  'index-names': defineJob({
    label: 'Pregătirea numelor mai vechi pentru căutare',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    expireInSeconds: 4 * 60 * 60,
    run: indexNames,
  }),
}
