import { FEATURES, type Feature } from '../../../shared/access/features.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { DELIVERY_NAMES } from '../../../shared/site/setting-bounds.ts'
import { Field } from '../../forms/core/field.ts'
import { nameOptions } from '../../forms/inputs/dropdown/name-options.ts'
import { NumberSetting, SettingsSection } from './settings-section.tsx'
import { featureField } from './settings-values.ts'

/** The features, with what is missing when they are off. */
const FEATURE_HINTS: Record<Feature, { label: string; help: string }> = {
  'patient::share': {
    label: 'Partajarea rezultatelor',
    help: 'Oprită: nimeni nu mai trimite linkuri cu rezultate, iar cele trimise nu se mai deschid.',
  },
  'patient::news': {
    label: 'Noutăți despre pacienți',
    help: 'Oprite: nimeni nu mai vede și nu mai scrie note, noutăți și avertizări despre pacienți; cele scrise se păstrează.',
  },
  'patient::files': {
    label: 'Fișierele pacienților',
    help: 'Oprite: nimeni nu mai vede, nu mai adaugă și nu mai șterge fișiere, nici instituțiile; verificarea merge mai departe, cu ce este de verificat.',
  },
  'admin::remove-files': {
    label: 'Ștergerea fișierelor',
    help: 'Oprită: nimeni nu mai poate șterge fișiere.',
  },
  'admin::review-files': {
    label: 'Verificarea încărcărilor',
    help: 'Oprită: „Verificare” și „Tablou de bord” dispar și nimeni nu mai poate accepta sau respinge.',
  },
  'profile::institution': {
    label: 'Profilul instituției',
    help: 'Oprit: instituțiile nu își mai văd și nu își mai schimbă datele.',
  },
}

export function FeaturesSection() {
  return (
    <SettingsSection id="functii">
      {FEATURES.map((feature) => (
        <Field key={feature} type="toggle" name={featureField(feature)} {...FEATURE_HINTS[feature]} />
      ))}
      <p className="text-sm text-muted sm:col-span-2">
        O funcție oprită aici este oprită pentru toți, și pe ecranele deschise acum. Cele pornite se acordă
        personalului la fiecare cont.
      </p>
      <Field
        type="toggle"
        name="self_review"
        label="Verificare proprie"
        help="Doar pentru un centru în care verifică o singură persoană. Pornită: cine a încărcat un rezultat îl poate și accepta, deci o greșeală de pacient nu o mai vede nimeni altcineva înainte de eliberare."
        className="sm:col-span-2"
      />
      <NumberSetting
        name="undo_seconds"
        label="Un verdict se poate anula timp de"
        help="Eliberarea așteaptă atât. 0: nu se poate anula, iar rezultatul pleacă imediat."
        unit="secunde"
      />
    </SettingsSection>
  )
}

export function SearchSection() {
  return (
    <SettingsSection id="cautare">
      <p className="text-sm text-muted sm:col-span-2">
        Fără identificator, caută produsul însuși. Cu un serviciu extern, acesta caută doar instituții și
        categorii; pacienții nu ies niciodată din baza de date a produsului.
      </p>
      <Field
        type="text"
        name="search_application_id"
        label="Identificatorul aplicației"
        spellCheck="false"
        maxLength={30}
      />
      <Field
        type="text"
        name="search_public_key"
        label="Cheia publică"
        help="Una care poate doar să caute: o primește fiecare navigator."
        spellCheck="false"
        maxLength={500}
      />
      <Field
        type="toggle"
        name="search_lite_client"
        label="Client redus"
        help="Doar caută, și se încarcă mai repede."
      />
      <Field
        type="toggle"
        name="search_recommendations"
        label="Recomandări"
        help="Ce caută alții, înainte să scrii. Nu cu clientul redus."
      />
      <Field
        type="toggle"
        name="search_response_cache"
        label="Răspunsuri păstrate"
        help="Aceeași întrebare nu mai pleacă la serviciu cât timp pagina este deschisă."
      />
    </SettingsSection>
  )
}

export function DeliverySection() {
  return (
    <SettingsSection id="livrare">
      <Field
        type="dropdown"
        name="delivery_default"
        label="Anunțarea instituțiilor noi"
        help="Când pleacă mesajul despre rezultatele noi. Se poate schimba la fiecare instituție."
        options={nameOptions(DELIVERY_NAMES)}
        validation="required"
        className="sm:col-span-2"
      />
      <NumberSetting name="share_days" label="Un link este valabil, de obicei" unit="zile" />
      <NumberSetting name="share_days_max" label="Un link este valabil cel mult" unit="zile" />
      <NumberSetting
        name="target_filing_hours"
        label="Ținta de la examinare la încărcare"
        help="Tabloul de bord arată câte rezultate o depășesc."
        unit="ore"
      />
      <NumberSetting
        name="reminder_days"
        label="Un rezultat nedeschis se amintește instituției după"
        help="O singură dată, în mesajul despre rezultate. 0: nu se amintește."
        unit="zile"
      />
      <NumberSetting name="target_release_hours" label="Ținta de la încărcare la eliberare" unit="ore" />
      <NumberSetting
        name="target_opening_hours"
        label="Ținta de la eliberare la prima deschidere"
        unit="ore"
      />
      <Field
        type="toggle"
        name="share_proofs"
        label="Cine deschide un link dovedește că îi este destinat prin"
        multiple
        look="list"
        options={[
          { value: 'birth_date', label: 'Data nașterii', help: 'A pacientului.' },
          { value: 'pin', label: 'Un cod PIN', help: 'Transmis separat, de cine trimite linkul.' },
          { value: 'email', label: 'E-mail', help: 'Un cod trimis la adresa destinatarului.' },
        ]}
        validation="required"
        className="sm:col-span-2"
      />
    </SettingsSection>
  )
}

export function LimitsSection() {
  return (
    <SettingsSection id="limite">
      <NumberSetting name="upload_file_mib" label="Un fișier are cel mult" unit="MB" />
      <NumberSetting name="upload_files" label="O încărcare are cel mult" unit="fișiere" />
      <NumberSetting
        name="upload_unfinished_hours"
        label="Un fișier neterminat se păstrează"
        help="Până atunci poate fi continuat."
        unit="ore"
      />
      <NumberSetting
        name="upload_unfinished_per_user"
        label="O persoană are cel mult"
        unit="fișiere neterminate"
      />
      <Field
        type="toggle"
        name="upload_active_content"
        label="Fișiere cu conținut activ"
        help="Macrocomenzi, șabloane luate din rețea, JavaScript sau fișiere atașate în PDF. Programele, scripturile și paginile web nu se primesc niciodată."
        look="list"
        options={[
          {
            value: 'mark',
            label: 'Se primesc, cu un avertisment',
            help: 'Îl vede cine verifică încărcarea.',
          },
          { value: 'refuse', label: 'Nu se primesc', help: 'Încărcarea ajunge în carantină.' },
        ]}
        className="sm:col-span-2"
      />
      <NumberSetting
        name="retention_years"
        label="Rezultatele se păstrează"
        help={`Doar cele fără categorie sau cu una care nu mai este în listă; fiecare categorie are termenul ei. Necompletat: pentru totdeauna. După termen, un rezultat stă în coș ${counted(LIMITS.binDays, 'zi', 'zile')}: dacă între timp prelungești termenul, revine în cel mult o zi.`}
        unit="ani"
        isOptional
      />
    </SettingsSection>
  )
}
