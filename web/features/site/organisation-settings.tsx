import { SECOND_FACTOR_GROUP_NAMES, SECOND_FACTOR_GROUPS } from '../../../shared/access/second-factor.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { NO_PROVIDER_MESSAGE } from '../../../shared/site/sign-in-providers.ts'
import { Field } from '../../forms/core/field.ts'
import { useForm } from '../../forms/core/form.tsx'
import { AccentField } from './accent-field.tsx'
import { PictureField } from './picture-field.tsx'
import { NumberSetting, SettingsSection } from './settings-section.tsx'
import type { SettingsValues } from './settings-values.ts'
import { ThemePreview } from './theme-preview.tsx'

export function OrganisationSection() {
  return (
    <SettingsSection id="organizatia">
      <Field
        type="text"
        name="name"
        label="Denumire"
        validationLabel="Câmpul „Denumire”"
        help="Pe pagina de autentificare, în navigație și în mesaje."
        validation="required:trim"
        maxLength={LIMITS.shortText}
      />
      <Field
        type="text"
        name="title"
        label="Titlul paginilor"
        help="În fila navigatorului, la partajare și în motoarele de căutare."
        validation="required:trim"
        maxLength={LIMITS.shortText}
      />
      <Field
        type="email"
        name="email"
        label="E-mail de contact"
        help="Unde se cere ajutor: pe pagina de autentificare și sub mesaje."
        inputMode="email"
        validation="email"
        maxLength={254}
      />
      <Field type="phone" name="phone" label="Telefon de contact" />
      <Field
        type="text"
        name="address"
        label="Adresă"
        help="Pe pagina de autentificare și sub mesaje."
        maxLength={LIMITS.shortText}
        className="sm:col-span-2"
      />
      <Field
        type="url"
        name="url"
        label="Adresa site-ului"
        help="Cu ea încep linkurile din mesaje: https://rezultate.exemplu.ro. Fără ea, cea din configurația serverului."
        inputMode="url"
        maxLength={LIMITS.shortText}
      />
      <Field
        type="url"
        name="url_backend"
        label="Adresa serviciului de date"
        help="Doar dacă GraphQL este pe alt server, dintre cele permise de configurație (BACKEND_HOSTS). Paginile deschise trec la ea la următoarea schimbare de ecran."
        inputMode="url"
        maxLength={LIMITS.shortText}
      />
      <dl className="grid content-start gap-1.5 text-sm">
        <dt className="font-medium">Limbi</dt>
        <dd className="text-muted">Română (ro). Este singura limbă a produsului.</dd>
      </dl>
    </SettingsSection>
  )
}

export function ThemeSection() {
  const { values } = useForm<SettingsValues>()
  return (
    <SettingsSection id="aspect">
      <div className="sm:col-span-2">
        <AccentField
          name="color_scheme"
          label="Culoarea de accent"
          help="Se vede de pe acum pe această pagină, doar la tine, până salvezi."
        />
      </div>
      <PictureField
        name="logo"
        label="Sigla"
        kind="logo"
        help="Pe pagina de autentificare și pe paginile fără cont. Cel mult 800 × 400 de pixeli după micșorare."
      />
      <PictureField
        name="logo_navigation"
        label="Sigla din navigație"
        kind="logo_navigation"
        help="În locul denumirii, în colțul ecranelor. Se vede cel mult 36 de pixeli înaltă."
      />
      <PictureField
        name="favicon"
        label="Pictograma"
        kind="favicon"
        help="În fila navigatorului și pe ecranul telefonului. Pătrată."
      />
      <NumberSetting name="logo_navigation_width" label="Lățimea siglei din navigație" unit="px" />
      <Field
        type="toggle"
        name="branding"
        label="„Realizat cu Dosar”"
        help="Sub pagina de autentificare, pe paginile fără cont și la sfârșitul mesajelor."
        className="sm:col-span-2"
      />
      <ThemePreview values={values} />
    </SettingsSection>
  )
}

const GROUP_OPTIONS = SECOND_FACTOR_GROUPS.map((value) => ({
  value,
  label: SECOND_FACTOR_GROUP_NAMES[value],
}))

export function SignInSection({ hasProvider }: { hasProvider: boolean }) {
  return (
    <SettingsSection id="autentificare">
      <Field
        type="toggle"
        name="login_provider"
        label="Cum se intră"
        look="list"
        options={[
          { value: 'local', label: 'Cu parolă', help: 'Fiecare cont are parola lui.' },
          {
            value: 'oidc',
            label: 'Prin furnizorul de identitate',
            help: hasProvider
              ? 'Parola rămâne doar administratorilor, ca să poată intra și când furnizorul nu răspunde. Ceilalți, dacă au intrat cu parolă, sunt deconectați imediat.'
              : NO_PROVIDER_MESSAGE,
            disabled: !hasProvider,
          },
        ]}
      />
      <Field
        type="toggle"
        name="second_factor_required"
        label="Al doilea factor obligatoriu pentru"
        look="list"
        multiple
        options={GROUP_OPTIONS}
        help="Cine este în grup și nu are al doilea factor este deconectat imediat, peste tot, și îl activează la următoarea autentificare."
      />
      <Field
        type="toggle"
        name="session_refresh_visible"
        label="Verifică sesiunea la revenirea pe pagină"
        help="Cine a fost deconectat în altă parte află imediat ce se întoarce la pagină."
      />
      <NumberSetting
        name="session_idle_hours"
        label="Încheie sesiunea nefolosită după"
        help="La autentificarea pe un calculator folosit de mai multe persoane: după 30 de minute."
        unit="ore"
      />
      <NumberSetting
        name="session_refresh_ms"
        label="Verifică sesiunea la fiecare"
        help="Cât timp pagina se vede. Necompletat: nu se verifică periodic."
        unit="ms"
        isOptional
      />
    </SettingsSection>
  )
}

export function MailSection() {
  return (
    <SettingsSection id="e-mail">
      <Field
        type="text"
        name="from_name"
        label="Numele expeditorului"
        validation="required:trim"
        maxLength={LIMITS.shortText}
      />
      <Field
        type="email"
        name="from_email"
        label="Adresa expeditorului"
        help="Serverul de e-mail trebuie să o accepte. Trimite apoi o probă din „Mesaje”."
        inputMode="email"
        validation="email"
        maxLength={254}
      />
    </SettingsSection>
  )
}
