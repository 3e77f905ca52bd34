import { builder } from '../../../graphql/builder.ts'
import { CHANGE_FILES, Upload } from '../uploads.graphql.ts'
import { discardFile } from './discard-file.ts'
import { moveFiles } from './move-files.ts'

builder.mutationFields((t) => ({
  discardFile: t.field({
    description:
      'Takes a file that has arrived and was not checked out of an upload, for its author: before it is submitted, or a new file after a rejection. CONFLICT in any other state. It cannot be restored.',
    type: Upload,
    authScopes: CHANGE_FILES,
    args: { uploadId: t.arg.id({ required: true }), fileId: t.arg.id({ required: true }) },
    resolve: (_root, args, ctx) => discardFile(ctx, args),
  }),
  moveFiles: t.field({
    description:
      'Gives files of an upload that was not submitted to another patient, for its author: in a new upload that has none of its details and a title from the file names, or with the upload itself if they are all its files and none is still arriving. The institution is the only one that refers the patient. Returns the upload that has the files now. CONFLICT if the upload was submitted.',
    type: Upload,
    authScopes: CHANGE_FILES,
    args: {
      uploadId: t.arg.id({ required: true }),
      fileIds: t.arg.idList({ required: true }),
      patientId: t.arg.id({ description: 'The other patient.', required: true }),
    },
    resolve: (_root, args, ctx) => moveFiles(ctx, args),
  }),
}))
