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
 * County, locality and the rest of an address, as the fields `county`, `locality` and `address` of the form around: the
 * localities are those of the county, and any other name can be written.
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
        leads="locality"
        // The locality of one county is not in another.
        onChoose={(next) => {
          if (code && next !== county) fill('locality', null)
        }}
        // What was written before there was a list stays as it is.
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

/** The localities of a county; null while they are on their way, or where they did not come. */
function useLocalities(code: CountyCode | undefined) {
  const [response, setAnswer] = useState<{ code: CountyCode; localities: readonly Locality[] | null }>()
  useEffect(() => {
    if (!code) return
    let isCurrent = true
    const take = (localities: readonly Locality[] | null) => isCurrent && setAnswer({ code, localities })
    loadLocalities(code).then(take, () => take(null))
    return () => {
      isCurrent = false
    }
  }, [code])
  const own = response?.code === code ? response : undefined
  return { localities: own?.localities ?? null, hasFailed: own?.localities === null }
}
