import { OPENING_ACTS, type OpeningAct } from '../../../../shared/incidents/incidents.ts'
import { builder } from '../../../graphql/builder.ts'
import { listOpenings, type Opening as OpeningRow } from './openings.ts'

const OpeningActType = builder.enumType('OpeningAct', {
  description: 'What a user of an institution, or the recipient of a link, did with a released result.',
  values: {
    open: { description: 'Opened its page.' },
    preview: { description: 'Looked at files.' },
    download: { description: 'Downloaded files.' },
    archive: { description: 'Downloaded all files as a ZIP.' },
  } satisfies Record<OpeningAct, object>,
})

/** As it is read from the audit log, or from the record of an incident, where the times are texts. */
export type ShownOpening = Pick<OpeningRow, 'name' | 'institutionName'> & {
  acts: { kind: OpeningAct; firstAt: Date | string; lastAt: Date | string }[]
}

const OpeningActs = builder.objectRef<ShownOpening['acts'][number]>('OpeningActs').implement({
  description: 'The first and the last time of an act of one user.',
  fields: (t) => ({
    kind: t.expose('kind', { type: OpeningActType }),
    firstAt: t.field({ type: 'DateTime', resolve: ({ firstAt }) => new Date(firstAt) }),
    lastAt: t.field({ type: 'DateTime', resolve: ({ lastAt }) => new Date(lastAt) }),
  }),
})

export const Opening = builder.objectRef<ShownOpening>('Opening').implement({
  description: 'What a user of an institution, or the recipient of a link, did with a released result.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description:
        'Of the user. Recipients of links who are the patient, or designated by the patient, are not named.',
    }),
    institutionName: t.exposeString('institutionName', {
      description: 'Of the institution to which it was released then.',
      nullable: true,
    }),
    acts: t.field({ type: [OpeningActs], resolve: ({ acts }) => acts }),
  }),
})

builder.queryField('openings', (t) =>
  t.field({
    description: `Who of the institutions and of the recipients of links opened or downloaded an upload (${OPENING_ACTS.join(', ')}), since it was last moved to another patient. The reading is recorded.`,
    type: [Opening],
    authScopes: { feature: 'admin::review-files' },
    args: { uploadId: t.arg.id({ required: true }) },
    resolve: (_root, { uploadId }, ctx) => listOpenings(ctx, uploadId),
  }),
)
