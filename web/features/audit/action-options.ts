import { AUDIT_ACTIONS, type AuditAction } from '../../../shared/audit/audit-actions.ts'
import type { OptionGroup } from '../../ui/options/option.ts'

/** What an action is about, by the first word of its code. */
const GROUPS: readonly { label: string; about: readonly string[] }[] = [
  { label: 'Pacienți', about: ['patient', 'referral'] },
  { label: 'Încărcări și fișiere', about: ['upload', 'file'] },
  { label: 'Instituții', about: ['institution'] },
  { label: 'Autentificare', about: ['session', 'second-factor', 'access'] },
  { label: 'Conturi', about: ['account'] },
  { label: 'Mesaje', about: ['message'] },
  { label: 'Jurnal și căutare', about: ['log', 'search'] },
]
const OTHERS = 'Setări și altele'

const groupOf = (action: string): string =>
  GROUPS.find(({ about }) => about.includes(action.split('.')[0]!))?.label ?? OTHERS

/** Every action as the filter offers it, under what it is about: `S-a autentificat`. */
export const ACTION_GROUPS: readonly OptionGroup[] = [...GROUPS.map(({ label }) => label), OTHERS].flatMap(
  (label) => {
    const options = (Object.entries(AUDIT_ACTIONS) as [AuditAction, string][])
      .filter(([id]) => groupOf(id) === label)
      .map(([id, text]) => ({ id, label: `${text[0]?.toLocaleUpperCase('ro')}${text.slice(1)}` }))
      .sort((one, other) => one.label.localeCompare(other.label, 'ro'))
    return options.length > 0 ? [{ label, options }] : []
  },
)
