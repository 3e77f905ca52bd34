import type { ReactNode } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { type SavedForm, type SavedFormProps, useSavedForm } from './use-saved-form.tsx'

export interface FormPageProps<Values extends object>
  extends Omit<SavedFormProps<Values>, 'onSave' | 'start'> {
  /** Returns the values that are stored after saving. Rejects with the server's error. */
  onSave: (values: Values) => Promise<Values>
  /** Shown beside the buttons while nothing has changed: who saved last. */
  note?: ReactNode
  /** The fields. */
  children: ReactNode
}

/** A form that is a page and stays open after saving; its buttons stay at the bottom of the screen. */
export function FormPage<Values extends object>({ onSave, note, children, ...props }: FormPageProps<Values>) {
  const form: SavedForm<Values> = useSavedForm<Values>({
    ...props,
    onSave: async (values) => form.mergeSaved(values, await onSave(values)),
  })
  const count = form.changed.length
  return (
    <div className="grid gap-5">
      {form.render(children)}
      <div
        className={classNames(
          count === 0 ? 'max-sm:hidden' : 'sticky-bar',
          'layer-bar sticky bottom-(--bottom-bar,0px) -mx-1 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-t-lg border border-line bg-raised px-4 py-2.5',
        )}
      >
        <p role="status" className="min-w-0 flex-1 basis-40 text-sm text-muted">
          {count > 0 ? counted(count, 'modificare nesalvată', 'modificări nesalvate') : note}
        </p>
        <div className="flex flex-wrap gap-2">
          {/* Stays enabled without changes, because the button may have the focus. */}
          <Button isDisabled={form.isPending} onPress={() => form.leave(() => void form.reset())}>
            Renunță
          </Button>
          <Button
            variant={count > 0 ? 'primary' : 'secondary'}
            type="submit"
            form={form.id}
            isPending={form.isPending}
          >
            Salvează
          </Button>
        </div>
      </div>
      {form.dialog}
    </div>
  )
}
