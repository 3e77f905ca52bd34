import { writeFile } from 'node:fs/promises'
import { describePermissions } from './permissions.ts'

await writeFile('docs/permissions.md', await describePermissions())
