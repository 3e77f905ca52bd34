import type { FormKitNode, FormKitOptions } from '@formkit/core'
import { createI18nPlugin } from '@formkit/i18n'
import { createLibraryPlugin } from '@formkit/inputs'
import { bindings } from '@formkit/react'
import { cloneAny } from '@formkit/utils'
import { createValidationPlugin } from '@formkit/validation'
import { library } from './library.ts'
import { romanian } from './messages.ts'
import { rules } from './rules.ts'

/** What the server said of a field, or of a part of it, holds until something else stands there. */
function dropServerErrors(node: FormKitNode): void {
  node.on('commit', () => {
    if (!node.props.isForm) node.clearErrors(false)
  })
}

/** A field that comes back after it had gone says again what the form began with. */
function resetForm(node: FormKitNode): void {
  const { parent, name, value, type } = node
  if (type !== 'input' || value !== undefined || !parent?.props.isForm) return
  if (!(name in (parent.value as object))) void node.input(cloneAny(parent.props.initial[name]), false)
}

/**
 * FormKit in Romanian [1.6]. The theme `genesis` is the imported stylesheet, on the product's colours; FormKit's theme plugin
 * is left out, since it fetches themes and icons from another host. Debounce and visibility are FormKit's defaults: 20 ms
 * for inputs and 0 for groups, validation at once [9.10], messages after the field was left [5.3]; the latter is said here,
 * since FormKit makes an exception of checkboxes.
 */
export const formKit: FormKitOptions = {
  plugins: [
    createLibraryPlugin(library),
    bindings,
    createI18nPlugin({ ro: romanian }),
    createValidationPlugin(rules),
    dropServerErrors,
    resetForm,
  ],
  config: { locale: 'ro', validationVisibility: 'blur' },
}
