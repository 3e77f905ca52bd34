import { useSearch } from '@tanstack/react-router'
import { FailureNotice, Notice } from '../../ui/feedback/notice.tsx'
import { explainSignInError, requiresSecondFactor } from './sign-in-errors.ts'

/** What stands above the way in: what has just gone wrong, or why the address says that the person is here [8.2]. */
export function SignInNotice({ failure, isPending }: { failure: string | null; isPending: boolean }) {
  const { error, code } = useSearch({ from: '/' })
  if (failure) return <FailureNotice>{failure}</FailureNotice>
  // Of the code that was asked for, its own step has spoken.
  if (!error || isPending || requiresSecondFactor(code)) return null
  const { text, isInvitation } = explainSignInError(error, code)
  return <Notice tone={isInvitation ? 'info' : 'danger'}>{text}</Notice>
}
