import { SETUP_STATES, SETUP_STEPS } from '../../../shared/setup/setup.ts'
import { builder } from '../../graphql/builder.ts'
import { hideSetup, stateBackup } from './change-setup.ts'
import { readSetupChecklist, type SetupChecklist } from './read-setup-checklist.ts'

const SetupStepType = builder.enumType('SetupStep', {
  description: 'A step of setting up a new organisation.',
  values: SETUP_STEPS,
})

const SetupStateType = builder.enumType('SetupState', {
  description: '`waiting`: begun, but another person or the mail server has to finish it.',
  values: SETUP_STATES,
})

const SetupItem = builder.objectRef<SetupChecklist['steps'][number]>('SetupItem').implement({
  authScopes: { admin: true },
  description: 'A step of the setup with its state, as the data show it.',
  fields: (t) => ({
    step: t.expose('step', { type: SetupStepType }),
    state: t.expose('state', { type: SetupStateType }),
  }),
})

const Checklist = builder.objectRef<SetupChecklist>('SetupChecklist').implement({
  authScopes: { admin: true },
  description: 'What a new organisation has to set up.',
  fields: (t) => ({
    steps: t.field({ type: [SetupItem], resolve: ({ steps }) => steps }),
    backupStatedAt: t.expose('backupStatedAt', {
      description: 'When an administrator stated that backups are arranged; null before.',
      type: 'DateTime',
      nullable: true,
    }),
    isHidden: t.exposeBoolean('isHidden', {
      description: 'Whether an administrator has hidden the steps from all administrators.',
    }),
  }),
})

builder.queryFields((t) => ({
  setupChecklist: t.field({
    description: 'The steps of setting up the organisation; null if all are done, or in a demo.',
    type: Checklist,
    nullable: true,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => readSetupChecklist(ctx),
  }),
}))

builder.mutationFields((t) => ({
  stateBackup: t.boolean({
    description: 'States that backups of the database, the files and the secret are arranged; always true.',
    authScopes: { admin: true },
    resolve: async (_root, _args, ctx) => {
      await stateBackup(ctx)
      return true
    },
  }),
  hideSetup: t.boolean({
    description:
      'Hides the steps of the setup from all administrators, or shows them again; returns whether they are hidden.',
    authScopes: { admin: true },
    args: { hidden: t.arg.boolean({ required: true }) },
    resolve: async (_root, { hidden }, ctx) => {
      await hideSetup(ctx, hidden)
      return hidden
    },
  }),
}))
