import { useEffect, useRef } from 'react'
import { COUNTIES, type CountyCode } from '../../../shared/counties.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { Field } from '../field.ts'
import { useForm } from '../form.tsx'
import { findLocalities, loadLocalities } from './localities.ts'

type AddressValues = { county: string; locality: string }

const PAGE = 50
const countyOptions = COUNTIES.map(({ name }) => ({ id: name, label: name }))
const asOption = (name: string) => ({ id: name, label: name })
const codeOf = (county: string | undefined): CountyCode | undefined =>
  COUNTIES.find(({ name }) => name === county)?.code

/**
 * County, locality and the rest of an address, as the fields `county`, `locality` and `address` of the form around: the
 * localities are those of the county, and any other name can be written.
 */
export function AddressFields() {
  const { values, fill } = useForm<AddressValues>()
  const { county = '', locality = '' } = values
  const code = codeOf(county)

  // The locality of one county is not in another.
  const before = useRef(county)
  useEffect(() => {
    if (before.current !== '' && before.current !== county) fill('locality', '')
    before.current = county
  })

  const loadOptions = async (text: string, after: string | null) => {
    if (!code) return { options: [], next: null }
    const from = Number(after ?? 0)
    const found = findLocalities(await loadLocalities(code), text, from + PAGE + 1)
    return {
      options: found.slice(from, from + PAGE).map(({ label }) => asOption(label)),
      next: found.length > from + PAGE ? String(from + PAGE) : null,
    }
  }
  return (
    <>
      <Field
        type="dropdown"
        name="county"
        label="Județ"
        placeholder="Alege județul"
        search
        // What was written before there was a list stays as it is.
        options={county === '' || code ? countyOptions : [asOption(county), ...countyOptions]}
      />
      <Field
        // Another county has other answers.
        key={code}
        type="autocomplete"
        name="locality"
        label="Localitate"
        placeholder={code ? 'Scrie sau alege' : 'Alege întâi județul'}
        loadOptions={loadOptions}
        chosen={locality ? asOption(locality) : undefined}
        onCreate={async (name: string) => asOption(name)}
      />
      <Field
        type="text"
        name="address"
        label="Adresă"
        help="Strada, numărul, blocul, scara, apartamentul."
        maxLength={LIMITS.shortText}
        className="col-span-full"
      />
    </>
  )
}
