import type { FormKitNode, FormKitOptions } from '@formkit/core'
import { createI18nPlugin } from '@formkit/i18n'
import { createLibraryPlugin } from '@formkit/inputs'
import { bindings } from '@formkit/react'
import { createValidationPlugin } from '@formkit/validation'
import { library } from './library.ts'
import { romanian } from './messages.ts'
import { rules } from './rules.ts'

/** What the server said of a field holds until something else stands in it. */
function dropServerErrors(node: FormKitNode): void {
  node.on('input', () => {
    if (node.type === 'input') node.clearErrors(false)
  })
}

/**
 * FormKit in Romanian [1.6]. The theme `genesis` is the imported stylesheet, on the product's colours; FormKit's theme plugin
 * is left out, since it fetches themes and icons from another host. Debounce and visibility are FormKit's defaults: 20 ms
 * for inputs and 0 for groups, validation at once [9.10], messages after the field was left [5.3].
 */
export const formKit: FormKitOptions = {
  plugins: [
    createLibraryPlugin(library),
    bindings,
    createI18nPlugin({ ro: romanian }),
    createValidationPlugin(rules),
    dropServerErrors,
  ],
  config: { locale: 'ro' },
}
