import type { Stories } from '../../catalogue/stories.ts'
import { PlainButton } from './plain-button.tsx'
import { PlainField } from './plain-field.tsx'
import { PlainPasswordField } from './plain-password-field.tsx'

export default {
  butoane: () => (
    <div className="flex flex-wrap gap-2">
      <PlainButton variant="primary">Intră în cont</PlainButton>
      <PlainButton isPending>Intră în cont</PlainButton>
      <PlainButton disabled>Intră în cont</PlainButton>
    </div>
  ),
  câmp: () => <PlainField label="E-mail" help="Cel cu care ai fost invitat." autoComplete="off" />,
  'câmp refuzat': () => <PlainField label="E-mail" defaultValue="ana@" error="Adresa nu este completă." />,
  parolă: () => <PlainPasswordField label="Parolă" autoComplete="off" />,
} satisfies Stories
