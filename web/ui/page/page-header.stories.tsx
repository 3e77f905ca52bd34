import type { Stories } from '../../catalogue/stories.ts'
import { Button } from '../base/button.tsx'
import { PageHeader } from './page-header.tsx'
import { StatusPill } from './status-pill.tsx'

export default {
  simplu: () => <PageHeader title="Pacienți" />,
  'cu acțiuni': () => (
    <PageHeader
      title="Pacienți"
      actions={
        <Button variant="primary" icon="plus">
          Adaugă pacient
        </Button>
      }
    />
  ),
  'cu tot ce poate avea': () => (
    <PageHeader
      title="Ștefănescu-Țurcanu Ioana Maria"
      crumbs={[{ label: 'Pacienți', link: { to: '/' } }, { label: 'Ștefănescu-Țurcanu Ioana Maria' }]}
      status={
        <StatusPill icon="review" tone="accent">
          De verificat
        </StatusPill>
      }
      meta={
        <>
          <span>F, 41 de ani</span>
          <span>03.04.1985</span>
        </>
      }
      actions={<Button icon="pencil">Editează</Button>}
    />
  ),
} satisfies Stories
