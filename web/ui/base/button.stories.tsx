import type { Stories } from '../../catalogue/stories.ts'
import { AnchorButton, Button, IconButton, LinkButton } from './button.tsx'

export default {
  principal: () => <Button variant="primary">Salvează</Button>,
  secundar: () => <Button>Anulează</Button>,
  discret: () => <Button variant="quiet">Mai târziu</Button>,
  periculos: () => <Button variant="danger">Șterge</Button>,
  mare: () => (
    <Button variant="primary" size="lg">
      Trimite la verificare
    </Button>
  ),
  'cu pictograme': () => (
    <div className="flex flex-wrap gap-2">
      <Button icon="plus">Adaugă pacient</Button>
      <Button trailingIcon="chevron-down">Mai multe</Button>
    </div>
  ),
  dezactivat: () => (
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" isDisabled>
        Salvează
      </Button>
      <Button isDisabled>Anulează</Button>
      <IconButton icon="pencil" label="Editează" isDisabled />
    </div>
  ),
  'în lucru': () => (
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" isPending>
        Salvează
      </Button>
      <Button icon="download" isPending>
        Descarcă
      </Button>
      <IconButton icon="refresh" label="Reîncarcă" isPending />
    </div>
  ),
  'doar pictogramă': () => (
    <div className="flex flex-wrap gap-2">
      <IconButton icon="pencil" label="Editează" />
      <IconButton icon="printer" label="Tipărește" variant="secondary" />
      <IconButton icon="trash" label="Șterge" variant="danger" />
    </div>
  ),
  'legătură care arată ca un buton': () => (
    <div className="flex flex-wrap gap-2">
      <LinkButton to="/" icon="home">
        Prima pagină
      </LinkButton>
      <AnchorButton href="mailto:ajutor@exemplu.test" icon="envelope">
        Scrie un e-mail
      </AnchorButton>
    </div>
  ),
} satisfies Stories
