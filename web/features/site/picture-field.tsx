import { useId, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { formatBytes } from '../../../shared/romania/romanian.ts'
import { SITE_IMAGE_BYTES, type SiteImageKind } from '../../../shared/site/setting-bounds.ts'
import { IMAGE_SIZE_MESSAGE, IMAGE_TYPE_MESSAGE } from '../../../shared/site/site-image-messages.ts'
import { errorMessage } from '../../api/client-error.ts'
import { FILE_TIMEOUT_MS, http } from '../../api/http.ts'
import { fieldOf } from '../../forms/core/field.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../forms/core/input.ts'
import { getTokenFor } from '../../session/token/token-for.ts'
import { Button } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { fieldClass } from '../../ui/controls/field-styles.ts'

const ACCEPTED_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** Uploads an image and returns its address; the image is temporary until the settings are saved with it. */
async function sendPicture(kind: SiteImageKind, file: File): Promise<string> {
  const { address } = await http<{ address: string }>(`/api/site-images/${kind}`, {
    method: 'POST',
    body: file,
    timeoutMs: FILE_TIMEOUT_MS,
    headers: { authorization: `Bearer ${(await getTokenFor('files')) ?? ''}` },
  })
  return address
}

function findRejection({ type, size }: File): string | null {
  if (!ACCEPTED_TYPES.includes(type)) return IMAGE_TYPE_MESSAGE
  if (size > SITE_IMAGE_BYTES) return IMAGE_SIZE_MESSAGE
  return null
}

function PictureInput({ context }: InputProps<{ kind: SiteImageKind }, string>) {
  const [value = '', setValue] = useFieldValue(context)
  const [isPending, setPending] = useState(false)
  const { label, help, error, className } = fieldBaseProps(context)
  const id = useId()

  const choose = async (files: FileList | null) => {
    const file = files?.[0]
    if (!file || !context.kind) return
    context.node.clearErrors(false)
    const rejection = findRejection(file)
    if (rejection) return context.node.setErrors([rejection])
    setPending(true)
    try {
      setValue(await sendPicture(context.kind, file))
    } catch (failure) {
      context.node.setErrors([errorMessage(failure)])
    }
    setPending(false)
  }

  return (
    <fieldset
      aria-describedby={`${id}-help ${id}-error`}
      className={classNames(fieldClass, className)}
      data-invalid={error ? true : undefined}
    >
      <legend className="formkit-label mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex min-h-24 items-center justify-center rounded-md border border-line bg-sunken p-3">
        {value ? (
          <img src={value} alt={`${label}, cum arată acum`} className="max-h-20 max-w-full object-contain" />
        ) : (
          <span className="text-sm text-muted">Nicio imagine</span>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <FileTrigger acceptedFileTypes={ACCEPTED_TYPES} onSelect={(files) => void choose(files)}>
          <Button
            icon="upload"
            isPending={isPending}
            aria-label={`${value ? 'Înlocuiește' : 'Încarcă'}: ${label}`}
          >
            {value ? 'Înlocuiește' : 'Încarcă'}
          </Button>
        </FileTrigger>
        {value && (
          <Button variant="quiet" aria-label={`Elimină: ${label}`} onPress={() => setValue('')}>
            Elimină
          </Button>
        )}
      </div>
      <p id={`${id}-help`} className="formkit-help text-sm text-muted">
        PNG, JPEG sau WebP, cel mult {formatBytes(SITE_IMAGE_BYTES)}. {help}
      </p>
      <div id={`${id}-error`} role="alert" className="empty:hidden">
        {error && (
          <p className="formkit-messages flex items-start gap-1.5 text-sm text-danger">
            <Icon name="important" size={16} className="mt-0.5" />
            <span className="formkit-message">{error}</span>
          </p>
        )}
      </div>
    </fieldset>
  )
}

/**
 * An image of the organisation by its address, or ''. It is uploaded when chosen, and published when the
 * settings are saved.
 */
export const PictureField = fieldOf(
  defineInput<{ kind: SiteImageKind }, string>(PictureInput, ['kind'], {
    showValue: (address) => (
      <img src={address} alt="imaginea salvată" className="inline-block max-h-12 max-w-full object-contain" />
    ),
  }),
)
