import { AUDIT_ACTIONS, type AuditAction } from '../../../shared/audit/audit-actions.ts'
import type { OptionGroup } from '../../ui/options/option.ts'

/** The groups of actions, by the first word of an action's code. */
const GROUPS: readonly { label: string; about: readonly string[] }[] = [
  { label: 'Pacienți', about: ['patient', 'referral'] },
  { label: 'Încărcări și fișiere', about: ['upload', 'file', 'operation'] },
  { label: 'Instituții', about: ['institution'] },
  { label: 'Autentificare', about: ['session', 'second-factor', 'access'] },
  { label: 'Conturi', about: ['account'] },
  { label: 'Mesaje', about: ['message'] },
  { label: 'Jurnal și căutare', about: ['log', 'search'] },
]
const OTHERS = 'Setări și altele'

const groupOf = (action: string): string =>
  GROUPS.find(({ about }) => about.includes(action.split('.')[0]!))?.label ?? OTHERS

/** Every action as an option of the filter, grouped by subject: `S-a autentificat`. */
export const ACTION_GROUPS: readonly OptionGroup[] = [...GROUPS.map(({ label }) => label), OTHERS].flatMap(
  (label) => {
    const options = (Object.entries(AUDIT_ACTIONS) as [AuditAction, string][])
      .filter(([id]) => groupOf(id) === label)
      .map(([id, text]) => ({ id, label: `${text[0]?.toLocaleUpperCase('ro')}${text.slice(1)}` }))
      .sort((a, b) => a.label.localeCompare(b.label, 'ro'))
    return options.length > 0 ? [{ label, options }] : []
  },
)
