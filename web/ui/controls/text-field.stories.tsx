import type { Stories } from '../../catalogue/stories.ts'
import { Icon } from '../base/icon.tsx'
import { TextArea, TextField } from './text-field.tsx'

export default {
  gol: () => <TextField label="Nume" placeholder="Popescu" />,
  completat: () => <TextField label="Nume" defaultValue="Popescu" />,
  'cu ajutor': () => <TextField label="Nume" help="Cum stă în buletin." isRequired />,
  refuzat: () => <TextField label="E-mail" defaultValue="ana@" error="Adresa nu este completă." />,
  dezactivat: () => <TextField label="Nume" defaultValue="Popescu" isDisabled />,
  'cu prefix și sufix': () => (
    <TextField
      label="Greutate"
      prefix={<Icon name="activity" size={18} />}
      suffix={<span className="pr-3">kg</span>}
    />
  ),
  'fără etichetă la vedere': () => <TextField label="Cod" hideLabel placeholder="Cod" />,
  'pe mai multe rânduri': () => (
    <TextArea label="Notă" defaultValue="Pe nemâncate." help="O vede și instituția." />
  ),
  'pe mai multe rânduri, refuzat': () => <TextArea label="Motiv" error="Scrie motivul." />,
} satisfies Stories
