import { Suspense, use, useState } from 'react'
import type { Stories } from '../../catalogue/stories.ts'
import { StoryForm } from '../../catalogue/story-form.tsx'
import { Button } from '../../ui/base/button.tsx'
import { Field } from './field.ts'
import { useForm } from './form.tsx'

function CompanyFields() {
  const { values } = useForm<{ isCompany: boolean }>()
  return (
    <>
      <Field type="checkbox" name="isCompany" label="Este firmă" />
      {values.isCompany && (
        <Field type="text" name="company" label="Denumirea firmei" validation="required" />
      )}
    </>
  )
}

function SlowContent({ ready }: { ready: Promise<void> }) {
  use(ready)
  return <p>S-a încărcat.</p>
}

/**
 * A field beside a suspended component: React discards the rendered field until the component is loaded. The
 * second button replaces the field.
 */
function FieldBesideSlowContent() {
  const [{ promise, resolve }] = useState(() => Promise.withResolvers<void>())
  const [version, setVersion] = useState(0)
  return (
    <StoryForm start={{ surname: 'Popescu' }}>
      <div className="flex gap-2">
        <Button onPress={() => resolve()}>Încarcă</Button>
        <Button onPress={() => setVersion(version + 1)}>Înlocuiește câmpul</Button>
      </div>
      <Suspense fallback={<p>Se încarcă…</p>}>
        <Field key={version} type="text" name="surname" label="Nume" validation="required" />
        <SlowContent ready={promise} />
      </Suspense>
    </StoryForm>
  )
}

export default {
  'unul din două câmpuri': () => (
    <StoryForm>
      <Field type="email" name="email" label="E-mail" validation="require_one:phone" />
      <Field type="phone" name="phone" label="Telefon" validation="require_one:email" />
    </StoryForm>
  ),
  'când se arată mesajele': () => (
    <StoryForm>
      <Field type="text" name="blur" label="La părăsire" validation="length:3" />
      <Field
        type="text"
        name="live"
        label="Imediat"
        validation="required|length:3"
        validationVisibility="live"
      />
      <Field
        type="text"
        name="dirty"
        label="La schimbare"
        validation="length:3"
        validationVisibility="dirty"
      />
      <Field type="checkbox" name="accepted" label="Acordul" validation="accepted" />
    </StoryForm>
  ),
  'câmp care apare': () => (
    <StoryForm start={{ isCompany: false, company: 'fără nume' }}>
      <CompanyFields />
    </StoryForm>
  ),
  'câmp lângă ce se încarcă': () => <FieldBesideSlowContent />,
} satisfies Stories
