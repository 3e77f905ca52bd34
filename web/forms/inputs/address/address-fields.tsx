import { useEffect, useState } from 'react'
import { LIMITS } from '../../../../shared/limits.ts'
import { COUNTIES, type CountyCode } from '../../../../shared/romania/counties.ts'
import { Field } from '../../core/field.ts'
import { useForm } from '../../core/form.tsx'
import { findLocalities, type Locality, loadLocalities } from './localities.ts'

type AddressValues = { county: string | null; locality: string | null }

const MAX_SUGGESTIONS = 50
const countyOptions = COUNTIES.map(({ name }) => ({ id: name, label: name }))
const asOption = (name: string) => ({ id: name, label: name })

/**
 * County, locality and the rest of an address, as the fields `county`, `locality` and `address` of the
 * surrounding form. The localities depend on the county; other names are accepted.
 */
export function AddressFields() {
  const { values, fill } = useForm<AddressValues>()
  const { county, locality } = values
  const code = COUNTIES.find(({ name }) => name === county)?.code
  const { localities, hasFailed } = useLocalities(code)
  const [text, setText] = useState('')

  return (
    <>
      <Field
        type="dropdown"
        name="county"
        label="Județ"
        placeholder="Alege județul"
        search
        groupedWith="locality"
        // Another county has other localities.
        onChoose={(next) => {
          if (code && next !== county) fill('locality', null)
        }}
        // A county that is not in the list, from before the list existed, is kept.
        options={!county || code ? countyOptions : [asOption(county), ...countyOptions]}
      />
      <Field
        type="autocomplete"
        name="locality"
        label="Localitate"
        placeholder={county ? 'Scrie sau alege' : 'Alege întâi județul'}
        options={findLocalities(localities ?? [], text, MAX_SUGGESTIONS).map(({ label }) => asOption(label))}
        onSearch={setText}
        isLoading={code !== undefined && !localities && !hasFailed}
        emptyText={hasFailed ? 'Lista nu s-a încărcat. Scrie numele.' : 'Scrie numele'}
        chosen={locality ? asOption(locality) : undefined}
        acceptsCustomText
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

/** Returns the localities of a county; null while they are loading or if loading failed. */
function useLocalities(code: CountyCode | undefined) {
  const [response, setResponse] = useState<{ code: CountyCode; localities: readonly Locality[] | null }>()
  useEffect(() => {
    if (!code) return
    let isCurrent = true
    const store = (localities: readonly Locality[] | null) => isCurrent && setResponse({ code, localities })
    loadLocalities(code).then(store, () => store(null))
    return () => {
      isCurrent = false
    }
  }, [code])
  const current = response?.code === code ? response : undefined
  return { localities: current?.localities ?? null, hasFailed: current?.localities === null }
}
