import { graphql, type ResultOf } from '../../api/graphql.ts'

export const SETUP_CHECKLIST = graphql(`
  query SetupChecklist {
    setupChecklist {
      isHidden
      steps {
        step
        state
      }
    }
  }
`)
export type SetupItem = NonNullable<ResultOf<typeof SETUP_CHECKLIST>['setupChecklist']>['steps'][number]

export const INSTALL_CATEGORY_TEMPLATE = graphql(`
  mutation InstallCategoryTemplate {
    installCategoryTemplate
  }
`)

export const STATE_BACKUP = graphql(`
  mutation StateBackup {
    stateBackup
  }
`)

export const HIDE_SETUP = graphql(`
  mutation HideSetup($hidden: Boolean!) {
    hideSetup(hidden: $hidden)
  }
`)
