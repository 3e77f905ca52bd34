import { useLazyQuery } from '@apollo/client/react'
import { useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { Field } from '../../forms/core/field.ts'
import { Button } from '../../ui/base/button.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { TRY_WORDS } from './settings.queries.ts'
import { SettingsSection } from './settings-section.tsx'

/** The words by which a category is proposed, and a field to try the saved ones. */
export function ProposalsSection() {
  return (
    <SettingsSection id="propuneri">
      <Field
        type="textarea"
        name="category_words"
        label="Cuvinte după care se propune categoria"
        help="Pe fiecare rând identificatorul unei categorii, două puncte și cuvintele ei, despărțite prin virgulă. De exemplu imagistica::ct: CT, tomografie. Numele categoriilor se caută și fără ele, în numele fișierului și la începutul textului."
        rows={6}
        className="sm:col-span-2"
      />
      <TryWords />
    </SettingsSection>
  )
}

function TryWords() {
  const [text, setText] = useState('')
  const [send, { data, loading, called }] = useLazyQuery(TRY_WORDS, { fetchPolicy: 'no-cache' })
  const found = data?.proposedCategory
  return (
    <div className="space-y-2 sm:col-span-2">
      <TextField
        label="Probă"
        help="Numele unui fișier sau un titlu, cu cuvintele salvate."
        value={text}
        onChange={setText}
        maxLength={LIMITS.shortText}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          isPending={loading}
          isDisabled={text.trim() === ''}
          onPress={() => void send({ variables: { text } })}
        >
          Încearcă
        </Button>
        <p aria-live="polite" className="text-sm text-muted">
          {called &&
            data &&
            (found ? `Se propune ${found.name} (${found.slug}).` : 'Nu se propune nicio categorie.')}
        </p>
      </div>
    </div>
  )
}
