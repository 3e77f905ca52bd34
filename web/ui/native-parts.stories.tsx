import type { Stories } from '../catalogue/stories.ts'
import { NativeButton } from './native-button.tsx'
import { NativeField } from './native-field.tsx'
import { NativePasswordField } from './native-password-field.tsx'

export default {
  butoane: () => (
    <div className="flex flex-wrap gap-2">
      <NativeButton variant="primary">Intră în cont</NativeButton>
      <NativeButton isPending>Intră în cont</NativeButton>
      <NativeButton disabled>Intră în cont</NativeButton>
    </div>
  ),
  câmp: () => <NativeField label="E-mail" help="Cel cu care ai fost invitat." autoComplete="off" />,
  'câmp refuzat': () => <NativeField label="E-mail" defaultValue="ana@" error="Adresa nu este completă." />,
  parolă: () => <NativePasswordField label="Parolă" autoComplete="off" />,
} satisfies Stories
