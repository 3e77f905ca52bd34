import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'

/** Gives React Aria's components the Romanian locale and the router for their links. */
export function AriaProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  return (
    <I18nProvider locale="ro-RO">
      <RouterProvider navigate={(href) => router.navigate({ href })}>{children}</RouterProvider>
    </I18nProvider>
  )
}
