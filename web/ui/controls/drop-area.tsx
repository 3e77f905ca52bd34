import type { ReactNode } from 'react'
import { DropZone, FileTrigger, Text } from 'react-aria-components'
import { Button } from '../base/button.tsx'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import { collectDroppedFiles } from './dropped-files.ts'

export interface DropAreaProps {
  /** The files that were dropped, chosen or pasted; never empty. */
  onFiles: (files: File[]) => void
  title?: string | undefined
  /** Adds a button that opens the camera, on devices that are touched. */
  takesPhotos?: boolean | undefined
  /** Which files are accepted: types, sizes, how many. */
  help?: ReactNode
  /** MIME types or extensions (`.pdf`) for the file chooser; dropped files are not filtered. */
  accept?: readonly string[] | undefined
  isMultiple?: boolean | undefined
  /** Adds a button that chooses a folder. */
  takesFolders?: boolean | undefined
  isDisabled?: boolean | undefined
  /** A single row, for a list that already has files. */
  isCompact?: boolean | undefined
  className?: string | undefined
}

export function DropArea({
  onFiles,
  title = 'Trage fișierele aici',
  help,
  accept,
  isMultiple = true,
  takesFolders,
  takesPhotos,
  isDisabled = false,
  isCompact,
  className,
}: DropAreaProps) {
  const report = (files: File[]) => {
    if (files.length > 0) onFiles(isMultiple ? files : files.slice(0, 1))
  }
  const choose = (chosen: FileList | null) => report(Array.from(chosen ?? []))

  return (
    <DropZone
      aria-label="Loc pentru fișiere"
      isDisabled={isDisabled}
      getDropOperation={() => 'copy'}
      onDrop={(event) => collectDroppedFiles(event.items).then(report)}
      className={classNames(
        'group/drop flex items-center justify-center rounded-lg border-2 border-dashed border-line-strong/60 bg-sunken text-center print:hidden transition-colors data-drop-target:border-accent-mark data-drop-target:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-focus data-disabled:opacity-60',
        isCompact ? 'flex-wrap gap-x-4 gap-y-2 px-4 py-2.5' : 'flex-col gap-1 px-6 py-8',
        className,
      )}
    >
      {!isCompact && (
        <span className="flex size-12 items-center justify-center rounded-full bg-hover text-muted transition-colors group-data-drop-target/drop:bg-accent group-data-drop-target/drop:text-on-accent">
          <Icon name="upload" size={24} />
        </span>
      )}
      <Text slot="label" className={isCompact ? 'text-sm text-muted' : 'mt-3 font-semibold'}>
        <span className="pointer-coarse:hidden">{title}</span>
        {/* Nothing can be dragged with a finger. */}
        <span className="hidden pointer-coarse:inline">Fișiere de pe acest dispozitiv</span>
      </Text>
      {help && !isCompact && <p className="max-w-prose text-sm text-balance text-muted">{help}</p>}
      <span className={classNames('flex flex-wrap justify-center gap-2', !isCompact && 'mt-4')}>
        <FileTrigger
          allowsMultiple={isMultiple}
          onSelect={choose}
          {...(accept ? { acceptedFileTypes: accept } : {})}
        >
          <Button icon="file-up" isDisabled={isDisabled}>
            {isMultiple ? 'Alege fișiere' : 'Alege un fișier'}
          </Button>
        </FileTrigger>
        {takesPhotos && (
          <span className="hidden pointer-coarse:contents">
            <FileTrigger defaultCamera="environment" acceptedFileTypes={['image/*']} onSelect={choose}>
              <Button icon="image" isDisabled={isDisabled}>
                Fotografiază
              </Button>
            </FileTrigger>
          </span>
        )}
        {takesFolders && (
          <FileTrigger acceptDirectory onSelect={choose}>
            <Button icon="folder-open" variant="quiet" isDisabled={isDisabled}>
              Alege un folder
            </Button>
          </FileTrigger>
        )}
      </span>
      {help && isCompact && <p className="w-full text-xs text-muted">{help}</p>}
    </DropZone>
  )
}
