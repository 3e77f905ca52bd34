import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import type { SiteSettings } from '../../../shared/site/site-settings.ts'
import { client } from '../../api/client.ts'
import { FormPage } from '../../forms/saved-form/form-page.tsx'
import { refreshSite } from '../../session/refresh-site.ts'
import { MailSection, OrganisationSection, SignInSection, ThemeSection } from './organisation-settings.tsx'
import { ProposalsSection } from './proposals-section.tsx'
import { SAVE_SETTINGS, type SettingsState, SITE_SETTINGS } from './settings.queries.ts'
import { SettingsIndex } from './settings-index.tsx'
import { listSettingsChanges, readSettings, type SettingsValues } from './settings-values.ts'
import { DeliverySection, FeaturesSection, LimitsSection, SearchSection } from './workflow-settings.tsx'

const valuesOf = ({ values }: SettingsState) => readSettings(values as SiteSettings)

/** All settings on one page, saved together; each takes effect in every open browser at once. */
export function SettingsForm({ loaded }: { loaded: SettingsState }) {
  /** The settings from which the form was filled; replaced after another user has saved. */
  const [stored, setStored] = useState(loaded)
  const [send] = useMutation(SAVE_SETTINGS, { fetchPolicy: 'no-cache' })

  const save = async (values: SettingsValues) => {
    const changes = listSettingsChanges(valuesOf(stored), values)
    if (Object.keys(changes).length === 0) return values
    const { data } = await send({ variables: { version: stored.version, changes } })
    if (!data) return values
    setStored(data.saveSettings)
    // Applied at once, without waiting for the server's notification.
    await refreshSite()
    return valuesOf(data.saveSettings)
  }
  const reload = async () => {
    const { data } = await client.query({ query: SITE_SETTINGS, fetchPolicy: 'no-cache' })
    if (!data) throw new Error('no settings')
    setStored(data.siteSettings)
    return valuesOf(data.siteSettings)
  }
  const { savedAt, savedBy } = stored
  return (
    <div className="grid gap-5 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-8">
      <SettingsIndex />
      <FormPage
        stored={valuesOf(stored)}
        onSave={save}
        onReload={reload}
        note={
          savedAt
            ? `Salvate ultima dată ${formatDateTime(savedAt)}${savedBy ? `, de ${savedBy}` : ''}`
            : 'Nimic de salvat'
        }
      >
        <OrganisationSection />
        <ThemeSection />
        <SignInSection hasProvider={stored.hasProvider} />
        <MailSection />
        <FeaturesSection />
        <SearchSection />
        <DeliverySection />
        <LimitsSection />
        <ProposalsSection />
      </FormPage>
    </div>
  )
}
