import type { NotificationKind } from '../../../shared/notifications/notification-kinds.ts'
import { isStaff } from '../../actor.access.ts'
import type { UserActor } from '../../context.ts'
import { canAnswer, canAsk } from '../questions/questions.access.ts'
import { canFollowShares } from '../shares/shares.access.ts'
import { canCreateUploads, canReadFiles, canSend, isRecipient } from '../uploads/uploads.access.ts'

/** Of each kind the rule of the list that it comes from. */
const RULES: Readonly<Record<NotificationKind, (actor: UserActor) => boolean>> = {
  results: (actor) => isRecipient(actor) && canReadFiles(actor),
  rejected: (actor) => canCreateUploads(actor) || canSend(actor),
  questions: (actor) => canAnswer(actor) || canAsk(actor),
  // Institutions request, staff decide.
  access_requests: () => true,
  shares: canFollowShares,
  // Users of institutions cause no mail to others.
  mail: isStaff,
}

/** Whether the actor may have notifications of this kind: new results and sent uploads for institutions, shares and mail for staff, as the lists that they come from. */
export const mayHaveNotifications = (kind: NotificationKind, actor: UserActor): boolean => RULES[kind](actor)
