import { INSTITUTION_CODE, INSTITUTION_KIND_NAMES } from '../../../shared/institutions.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { ACCENT_NAMES } from '../../../shared/site/accents.ts'
import { DELIVERY_NAMES } from '../../../shared/site/setting-bounds.ts'
import { Field } from '../../forms/core/field.ts'
import { FieldGroup } from '../../forms/core/field-group.tsx'
import { AddressFields } from '../../forms/inputs/address/address-fields.tsx'
import { nameOptions } from '../../forms/inputs/dropdown/name-options.ts'
import { PictureField } from '../site/picture-field.tsx'

/** The form fields of an institution. */
export function InstitutionFields() {
  return (
    <div className="col-span-full grid gap-7">
      <FieldGroup title="Denumire">
        <Field
          type="text"
          name="name"
          label="Denumire"
          validationLabel="Câmpul „Denumire”"
          autoFocus
          validation="required:trim"
          maxLength={LIMITS.shortText}
          className="sm:col-span-2"
        />
        <Field type="text" name="shortName" label="Denumire scurtă" help="Apare în liste." maxLength={60} />
        <Field
          type="text"
          name="code"
          label="Cod"
          help="Unic, scurt: SME, CZN-2."
          validation={`required:trim|matches:${INSTITUTION_CODE.pattern}`}
          validationMessages={{ matches: INSTITUTION_CODE.message }}
          maxLength={30}
        />
        <Field
          type="dropdown"
          name="kind"
          label="Tip"
          options={nameOptions(INSTITUTION_KIND_NAMES)}
          validation="required"
        />
      </FieldGroup>
      <FieldGroup title="Date fiscale">
        <Field type="cui" name="cui" label="CUI" />
        <Field type="text" name="tradeRegister" label="Registrul comerțului" maxLength={60} />
      </FieldGroup>
      <ContactFields />
      <FieldGroup title="Semnul din liste">
        <Field
          type="dropdown"
          name="accent"
          label="Culoare"
          help="Fără una aleasă, cea a organizației tale."
          options={nameOptions(ACCENT_NAMES)}
          placeholder="A organizației"
        />
        <PictureField
          name="logo"
          label="Siglă"
          help="Apare lângă numele instituției, în locul literelor."
          kind="institution_logo"
          className="sm:col-span-2"
        />
      </FieldGroup>
      <FieldGroup title="Rezultate">
        <DeliveryField />
        <Field
          type="toggle"
          name="mayUpload"
          label="Poate trimite fișiere"
          help="Utilizatorii ei trimit fișiere pentru pacienții instituției; un verificator le controlează pe fiecare."
          className="sm:col-span-2"
        />
      </FieldGroup>
    </div>
  )
}

/** The address and contact fields, which the institution's own users may also edit. */
export function ContactFields() {
  return (
    <FieldGroup title="Adresă și contact">
      <AddressFields />
      <Field type="phone" name="phone" label="Telefon" />
      <Field type="email" name="email" label="E-mail" inputMode="email" validation="email" maxLength={254} />
      <Field
        type="textarea"
        name="contacts"
        label="Persoane de contact"
        help="Cu cine vorbim și unde: nume, secție, interior."
        rows={2}
        maxLength={LIMITS.longText}
        className="sm:col-span-2"
      />
    </FieldGroup>
  )
}

export function DeliveryField() {
  return (
    <Field
      type="dropdown"
      name="delivery"
      label="Anunțarea rezultatelor"
      help="Mesajul spune doar câte rezultate sunt, fără date despre pacienți. Fiecare utilizator al instituției poate alege mai rar pentru el."
      options={nameOptions(DELIVERY_NAMES)}
      validation="required"
      className="sm:col-span-2"
    />
  )
}
