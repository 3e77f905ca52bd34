import { UploadQuestions } from '../../questions/upload-questions.tsx'
import type { Upload } from '../upload.queries.ts'
import { useSurroundings } from './use-surroundings.ts'

/** What institutions ask about the upload. */
export function AskedQuestions({ upload }: { upload: Upload }) {
  const { questions, reload } = useSurroundings(upload, 'network-only')
  return <UploadQuestions questions={questions} onChange={reload} />
}
