import { FILE_KINDS } from '../../../shared/uploads/files.ts'
import type { Stories } from '../../catalogue/stories.ts'
import { FileIcon } from './file-icon.tsx'

const kinds = FILE_KINDS

export default {
  feluri: () => (
    <div className="flex flex-wrap gap-3">
      {kinds.map((kind) => (
        <FileIcon key={kind} kind={kind} />
      ))}
    </div>
  ),
  'cu terminația numelui': () => (
    <div className="flex flex-wrap gap-3">
      <FileIcon kind="image" fileName="radiografie.jpeg" />
      <FileIcon kind="other" fileName="scrisoare.docx" />
    </div>
  ),
  mărimi: () => (
    <div className="flex items-end gap-3">
      <FileIcon kind="pdf" size={24} />
      <FileIcon kind="pdf" />
      <FileIcon kind="pdf" size={56} />
    </div>
  ),
} satisfies Stories
