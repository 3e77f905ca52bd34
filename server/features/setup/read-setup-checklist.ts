import { SETUP_STEPS, type SetupState, type SetupStep } from '../../../shared/setup/setup.ts'
import { siteSettings } from '../../../shared/site/site-settings.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { findOwnSecurity } from '../accounts/own-account/find-own-security.ts'
import { findOtherReviewer } from '../accounts/users/find-other-reviewer.ts'
import { listCategories } from '../categories/list-categories.ts'
import { searchInstitutions } from '../institutions/list-institutions.ts'
import { findTestMessageState } from '../messages/find-test-message-state.ts'
import { findIsDemo } from '../site/find-public-site.ts'
import { findSite } from '../site/find-site.ts'
import { canSetUp } from './setup.access.ts'
import { selectSetup } from './setup.db.ts'

export type SetupChecklist = {
  steps: { step: SetupStep; state: SetupState }[]
  backupStatedAt: Date | null
  isHidden: boolean
}

/**
 * Returns the steps of setting up the organisation, each with its state as the data show it, for administrators; null if all
 * are done, or in a demo. The second factor is the reader's own.
 */
export async function readSetupChecklist(ctx: UserCtx): Promise<SetupChecklist | null> {
  if (!canSetUp(ctx.actor)) throw forbidden('read the setup')
  const { backup_stated_at, hidden_at } = await selectSetup(ctx.db)
  if (await findIsDemo(ctx)) return null
  const states: Record<SetupStep, SetupState> = {
    organisation: await organisationState(ctx),
    mail: await mailState(ctx),
    second_factor: await secondFactorState(ctx),
    categories: done((await listCategories(ctx)).tree.length > 0),
    institution: done((await searchInstitutions(ctx, '', 1)).length > 0),
    reviewer: await reviewerState(ctx),
    backup: done(backup_stated_at !== null),
  }
  const steps = SETUP_STEPS.map((step) => ({ step, state: states[step] }))
  if (steps.every(({ state }) => state === 'done')) return null
  return { steps, backupStatedAt: backup_stated_at, isHidden: hidden_at !== null }
}

const done = (isDone: boolean): SetupState => (isDone ? 'done' : 'open')

/** What the sign-in page and mails show. */
async function organisationState({ db }: UserCtx): Promise<SetupState> {
  const { name, address, phone, email } = await findSite(db)
  return done(name !== siteSettings.parse({}).name && address !== '' && phone !== '' && email !== '')
}

async function mailState(ctx: UserCtx): Promise<SetupState> {
  const state = await findTestMessageState(ctx)
  if (state === 'sent') return 'done'
  return state === 'queued' && ctx.services.mailer ? 'waiting' : 'open'
}

/** Without recovery codes an administrator who has lost the phone could not sign in. */
async function secondFactorState(ctx: UserCtx): Promise<SetupState> {
  const { hasSecondFactor, recoveryCodesLeft } = await findOwnSecurity(ctx)
  return done(hasSecondFactor && recoveryCodesLeft > 0)
}

async function reviewerState(ctx: UserCtx): Promise<SetupState> {
  const status = await findOtherReviewer(ctx)
  if (status === 'active') return 'done'
  return status === 'invited' ? 'waiting' : 'open'
}
