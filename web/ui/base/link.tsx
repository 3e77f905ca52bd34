import { createLink, type LinkProps as RouterLinkProps } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { classNames } from './class-names.ts'

/** The target of a row, a tab or a menu item, as data: `{ to: '/patients/$id', params: { id } }`. */
export type LinkTarget = Pick<RouterLinkProps, 'to' | 'params' | 'search' | 'hash'>

const textLink =
  'font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-[0.2em] transition-colors hover:decoration-accent-ink rounded-xs'

function TextAnchor({ className, ...props }: ComponentPropsWithRef<'a'>) {
  return <a {...props} className={classNames(textLink, className)} />
}

function PlainAnchor(props: ComponentPropsWithRef<'a'>) {
  return <a {...props} />
}

/** A link in a sentence or a list, underlined. */
export const TextLink = createLink(TextAnchor)

/** A link without styles, for cards and rows. */
export const PlainLink = createLink(PlainAnchor)

/** A link that leaves the application: mailto, tel, another site, a file. */
export function ExternalLink({ className, ...props }: ComponentPropsWithRef<'a'> & { href: string }) {
  return <a {...props} className={classNames(textLink, className)} />
}
