import { useState } from 'react'
import type { Stories } from '../../catalogue/stories.ts'
import { DropArea, type DropAreaProps } from './drop-area.tsx'

function DropAreaStory(props: Partial<DropAreaProps>) {
  const [names, setNames] = useState<string[]>([])
  return (
    <>
      <DropArea {...props} onFiles={(files) => setNames(files.map(({ name }) => name))} />
      <output className="text-sm text-muted">{names.join(', ')}</output>
    </>
  )
}

export default {
  goală: () => <DropAreaStory help="PDF, imagini, ZIP sau DICOM, cel mult 2 GB fiecare." />,
  'cu foldere': () => <DropAreaStory takesFolders />,
  'un singur fișier': () => <DropAreaStory title="Trage sigla aici" isMultiple={false} accept={['.svg']} />,
  'pe un rând': () => <DropAreaStory title="Mai sunt fișiere? Trage-le aici" isCompact />,
  dezactivată: () => <DropAreaStory isDisabled />,
} satisfies Stories
