import { FILE_REJECTIONS } from '../../../shared/uploads/file-rejections.ts'
import { UserError } from '../../errors.ts'

export const inProgress = () => new UserError('IN_PROGRESS', 'another request works on the key')

export const otherDocument = () => new UserError('IDEMPOTENCY_CONFLICT', 'another document has the key')

export const notAccepted = () => new UserError(415, 'type not accepted', FILE_REJECTIONS['type-not-allowed'])
