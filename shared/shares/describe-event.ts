import type { ShareEventKind } from './shares.ts'

const EVENT_NAMES: Readonly<Record<ShareEventKind, string>> = {
  wrong_proof: 'încercare greșită',
  code_sent: 'cod trimis pe e-mail',
  opened: 'rezultatele au fost deschise',
  previewed: 'văzut',
  downloaded: 'descărcat',
  downloaded_all: 'descărcate toate fișierele',
  left: 'ieșire',
}

/** Returns what was done with the link of a share, and with which file. */
export const describeEvent = ({
  kind,
  fileName,
}: {
  kind: ShareEventKind
  fileName: string | null
}): string => (fileName === null ? EVENT_NAMES[kind] : `${EVENT_NAMES[kind]}: ${fileName}`)
