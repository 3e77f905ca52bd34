import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { type ButtonShape, type ButtonVariant, buttonClass, variants } from './button-styles.ts'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { Spinner } from './loading.tsx'

export type { ButtonSize, ButtonVariant } from './button-styles.ts'

interface ButtonStyleProps extends ButtonShape {
  icon?: IconName | undefined
  /** Drawn after the label: a chevron, an arrow. */
  trailingIcon?: IconName | undefined
}

function ButtonContent({ icon, trailingIcon, children }: ButtonStyleProps & { children?: ReactNode }) {
  return (
    <>
      {icon && <Icon name={icon} size={18} className="-ml-0.5" />}
      {children}
      {trailingIcon && <Icon name={trailingIcon} size={18} className="-mr-0.5" />}
    </>
  )
}

export interface ButtonProps
  extends Omit<AriaButtonProps, 'children' | 'className' | 'style'>,
    ButtonStyleProps {
  children: ReactNode
  /** The action is in progress: a press does nothing, the focus stays and a spinner is shown. */
  isPending?: boolean
  ref?: Ref<HTMLButtonElement> | undefined
}

export function Button({ variant, size, icon, trailingIcon, className, children, ...props }: ButtonProps) {
  return (
    <AriaButton
      {...props}
      className={classNames(
        buttonClass({ variant, size, className }),
        'relative data-disabled:opacity-50 data-pending:cursor-progress',
      )}
    >
      {({ isPending }) => (
        <>
          {isPending && <Spinner label="Se lucrează" size={18} className={icon ? '-ml-0.5' : 'absolute'} />}
          <ButtonContent icon={isPending ? undefined : icon} trailingIcon={trailingIcon}>
            <span className={classNames('min-w-0', isPending && !icon && 'invisible')}>{children}</span>
          </ButtonContent>
        </>
      )}
    </AriaButton>
  )
}

export interface IconButtonProps
  extends Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'aria-label'> {
  icon: IconName
  /** The accessible name and the tooltip. */
  label: string
  variant?: ButtonVariant | undefined
  isPending?: boolean
  className?: string | undefined
}

export function IconButton({ icon, label, variant = 'quiet', className, ...props }: IconButtonProps) {
  return (
    <AriaButton
      {...props}
      aria-label={label}
      data-tooltip={label}
      className={classNames(
        'hit-square inline-flex shrink-0 items-center justify-center rounded-md transition-colors data-disabled:opacity-50 data-pending:cursor-progress',
        variants[variant],
        className,
      )}
    >
      {({ isPending }) => (isPending ? <Spinner label="Se lucrează" /> : <Icon name={icon} />)}
    </AriaButton>
  )
}

function ButtonAnchor({
  variant,
  size,
  icon,
  trailingIcon,
  className,
  children,
  ...props
}: ComponentPropsWithRef<'a'> & ButtonStyleProps) {
  return (
    <a {...props} className={buttonClass({ variant, size, className })}>
      <ButtonContent icon={icon} trailingIcon={trailingIcon}>
        <span className="min-w-0">{children}</span>
      </ButtonContent>
    </a>
  )
}

/** A router link that is styled as a button. */
export const LinkButton = createLink(ButtonAnchor)

/** A link that is styled as a button, for an address outside the router: a download, mailto, another site. */
export function AnchorButton(props: ComponentPropsWithRef<'a'> & ButtonStyleProps & { href: string }) {
  return <ButtonAnchor {...props} />
}
