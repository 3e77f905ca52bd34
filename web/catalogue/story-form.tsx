import { type ReactNode, useId, useState } from 'react'
import { Form } from '../forms/core/form.tsx'
import { Button } from '../ui/base/button.tsx'

/** A form around the fields of a story; shows what it would send (`data-testid="values"`). */
export function StoryForm({ start = {}, children }: { start?: object; children: ReactNode }) {
  const id = useId()
  const [values, setValues] = useState<object>(start)
  const [sent, setSent] = useState(0)
  return (
    <div className="grid max-w-xl gap-4">
      <Form
        id={id}
        start={start}
        onChange={setValues}
        onSubmit={async () => {
          setSent((count) => count + 1)
        }}
      >
        {children}
      </Form>
      <div className="flex items-center gap-3">
        <Button type="submit" form={id}>
          Trimite
        </Button>
        <output className="text-sm text-muted">Trimis: {sent}</output>
      </div>
      <pre data-testid="values" className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
        {JSON.stringify(values, null, 2)}
      </pre>
    </div>
  )
}
