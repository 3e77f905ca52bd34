import { serveSandbox } from '../../platform/sandbox.ts'
import { type InspectionTask, inspectFile } from './inspect-file.ts'

serveSandbox(({ path, name }: InspectionTask) => inspectFile(path, name))
