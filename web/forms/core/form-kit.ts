import type { FormKitNode, FormKitOptions } from '@formkit/core'
import { createI18nPlugin } from '@formkit/i18n'
import { createLibraryPlugin } from '@formkit/inputs'
import { bindings } from '@formkit/react'
import { cloneAny } from '@formkit/utils'
import { createValidationPlugin } from '@formkit/validation'
import { library } from './library.ts'
import { romanian } from './messages.ts'
import { rules } from './rules.ts'

/** Removes the server errors of a field, or of its children, when its value changes. */
function dropServerErrors(node: FormKitNode): void {
  node.on('commit', () => {
    if (!node.props.isForm) node.clearErrors(false)
  })
}

/** Gives a field that is mounted again the initial value of the form. */
function restoreInitialValue(node: FormKitNode): void {
  const { parent, name, value, type } = node
  if (type !== 'input' || value !== undefined || !parent?.props.isForm) return
  if (!(name in (parent.value as object))) void node.input(cloneAny(parent.props.initial[name]), false)
}

/**
 * FormKit in Romanian [1.6], without its theme plugin, which loads themes and icons from another host: the
 * theme `genesis` is a local stylesheet with the product's colours. Debounce and validation time are
 * FormKit's defaults: 20 ms for inputs, 0 for groups, validation at once [9.10]. Messages are shown after the
 * field loses focus [5.3], set explicitly because FormKit treats checkboxes differently.
 */
export const formKit: FormKitOptions = {
  plugins: [
    createLibraryPlugin(library),
    bindings,
    createI18nPlugin({ ro: romanian }),
    createValidationPlugin(rules),
    dropServerErrors,
    restoreInitialValue,
  ],
  config: { locale: 'ro', validationVisibility: 'blur' },
}
