import type {
  NotificationKind,
  NotificationOutcome,
} from '../../../shared/notifications/notification-kinds.ts'
import type { ShareRecipientKind } from '../../../shared/shares/shares.ts'
import type { UserCtx } from '../../context.ts'
import { findNoticeableRequests } from '../access-requests/find-access-request.ts'
import { findUndelivered } from '../messages/list-messages.ts'
import { findNoticeableQuestions } from '../questions/find-question.ts'
import { findRejectedSent } from '../sent-uploads/list-sent-uploads.ts'
import { findGuessedShares, findPatientsOfShares } from '../shares/find-guessed-shares.ts'
import { findUploads } from '../uploads/find-upload.ts'
import { findNewResults } from '../uploads/inbox/count-inbox.ts'
import { findOwnUploads } from '../uploads/list-uploads.ts'
import { canCreateUploads } from '../uploads/uploads.access.ts'

/** One thing that the bell counts. It names no patient and no content: the page that it opens does, and records that. */
export type Notification = {
  /** Of the thing: a result, a question, a request, a share or a mail. */
  id: string
  at: Date
  uploadId?: string
  number?: number
  categorySlug?: string | null
  institutionId?: string | null
  institutionName?: string
  patientId?: string | undefined
  shareId?: string | undefined
  recipientKind?: ShareRecipientKind
  mailKind?: string
  outcome?: NotificationOutcome
}

type Source = {
  /** Returns the newest, at most `limit`, by the same rule as the list that they come from. */
  find: (ctx: UserCtx, limit: number) => Promise<Notification[]>
  /** Adds what only those that are shown need. */
  describe?: (ctx: UserCtx, shown: readonly Notification[]) => Promise<Notification[]>
}

/**
 * Where each kind is read from: always from the things themselves, so that what the actor may no longer see, what is done, and
 * what belongs to a feature that is off is in no bell.
 */
export const SOURCES: Readonly<Record<NotificationKind, Source>> = {
  results: {
    find: findNewResults,
    describe: async (ctx, shown) => {
      const uploads = new Map(
        (
          await findUploads(
            ctx,
            shown.map(({ id }) => id),
          )
        ).map((upload) => [upload.id, upload]),
      )
      return shown.flatMap(({ id, at }) => {
        const upload = uploads.get(id)
        return upload
          ? [{ id, at, uploadId: id, number: upload.number, categorySlug: upload.category_slug }]
          : []
      })
    },
  },
  rejected: {
    find: async (ctx, limit) =>
      (canCreateUploads(ctx.actor)
        ? await findOwnUploads(ctx, ['rejected'], limit)
        : await findRejectedSent(ctx, limit)
      ).map(({ id, number, state_since }) => ({ id, uploadId: id, number: number!, at: state_since! })),
  },
  questions: {
    find: async (ctx, limit) =>
      (await findNoticeableQuestions(ctx, limit)).map(
        ({ id, upload_id, upload_number, changed_at, institution_name }) => ({
          id,
          uploadId: upload_id,
          number: upload_number,
          at: changed_at,
          institutionName: institution_name,
        }),
      ),
  },
  access_requests: {
    find: async (ctx, limit) =>
      (await findNoticeableRequests(ctx, limit)).map(
        ({ id, created_at, decided_at, state, institution_name }) => ({
          id,
          at: decided_at ?? created_at,
          institutionName: institution_name,
          ...(state !== 'sent' && { outcome: state }),
        }),
      ),
  },
  shares: {
    find: async (ctx, limit) =>
      (await findGuessedShares(ctx, limit)).map(({ id, at, patient_id, recipient_kind, ended_at }) => ({
        id,
        at,
        shareId: id,
        patientId: patient_id,
        recipientKind: recipient_kind,
        outcome: ended_at ? 'ended' : 'locked',
      })),
  },
  mail: {
    find: async (ctx, limit) =>
      (await findUndelivered(ctx, limit)).map(
        ({ id, kind, state, failed_at, institution_id, about_type, about_id }) => ({
          id,
          at: failed_at!,
          mailKind: kind,
          institutionId: institution_id,
          ...(about_type === 'share' && about_id && { shareId: about_id }),
          outcome: state as NotificationOutcome,
        }),
      ),
    describe: async (ctx, shown) => {
      const patients = await findPatientsOfShares(
        ctx,
        shown.flatMap(({ shareId }) => shareId ?? []),
      )
      return shown.map((mail) => ({ ...mail, patientId: mail.shareId && patients.get(mail.shareId) }))
    },
  },
}
