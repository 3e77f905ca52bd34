import { builder } from '../../../graphql/builder.ts'
import { versionArg } from '../../../graphql/describe.ts'
import { staffOrNull } from '../../../graphql/hidden-fields.ts'
import { UploadStateType } from '../upload-enums.graphql.ts'
import { Upload } from '../uploads.graphql.ts'
import { loadFollowing, loadFormer } from './find-versions.ts'
import { replaceUpload } from './replace-upload.ts'
import type { VersionRow } from './versions.db.ts'

const UploadVersion = builder.objectRef<VersionRow>('UploadVersion').implement({
  authScopes: { staff: true },
  description: 'Another version of an upload.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number', { description: 'Drawn at random; for people.' }),
    state: t.expose('state', { type: UploadStateType }),
    stateSince: t.expose('state_since', { description: 'When it entered its state.', type: 'DateTime' }),
  }),
})

builder.objectFields(Upload, (t) => ({
  isUpdate: t.exposeBoolean('is_update', {
    description: 'Whether it has taken the place of a result that its institution had received.',
  }),
  replaces: t.field({
    ...staffOrNull,
    description: 'The version whose place it takes with its release; null for a first version.',
    type: UploadVersion,
    nullable: true,
    resolve: (upload, _args, ctx) => loadFormer(ctx, upload),
  }),
  replacedBy: t.field({
    ...staffOrNull,
    description: 'The version that takes its place, or will with its release; null if there is none.',
    type: UploadVersion,
    nullable: true,
    resolve: (upload, _args, ctx) => loadFollowing(ctx, upload),
  }),
}))

builder.mutationField('replaceUpload', (t) =>
  t.field({
    description:
      'Begins a new version of a released upload, in the state `receiving`; its files are sent to `/files`, then `submitUpload` submits it. Its release moves the former version to `replaced`.',
    type: Upload,
    authScopes: { $all: { staff: true, feature: 'patient::files' } },
    args: {
      id: t.arg.id({ description: 'The released upload.', required: true }),
      version: versionArg(t),
      reason: t.arg.string({
        description: 'The note of the new version, for colleagues and for the audit log.',
        required: true,
      }),
      withdraw: t.arg.boolean({
        description: 'Withdraw the former version now; otherwise its institution sees it until the release.',
      }),
    },
    resolve: (_root, args, ctx) => replaceUpload(ctx, args),
  }),
)
