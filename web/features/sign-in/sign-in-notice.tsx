import { useSearch } from '@tanstack/react-router'
import { FailureNotice, Notice } from '../../ui/feedback/notice.tsx'
import { explainSignInError, requiresSecondFactor } from './sign-in-errors.ts'

/** The notice above the sign-in form: the last failure, or the reason in the address [8.2]. */
export function SignInNotice({ failure, isPending }: { failure: string | null; isPending: boolean }) {
  const { error, code } = useSearch({ from: '/' })
  if (failure) return <FailureNotice>{failure}</FailureNotice>
  // The step of the second factor explains its own codes.
  if (!error || isPending || requiresSecondFactor(code)) return null
  const { text, isInvitation } = explainSignInError(error, code)
  return <Notice tone={isInvitation ? 'info' : 'danger'}>{text}</Notice>
}
