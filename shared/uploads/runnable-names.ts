import { stripInvisible } from '../invisible-characters.ts'

/**
 * The endings of programs, scripts, web pages, shortcuts and disk images, which could run on the computer of a
 * reader: those of the list of attachments that Outlook blocks which run something, and the ones that it lacks.
 * A list of allowed endings is not possible: DICOM files often have none.
 */
const RUNNABLE_ENDINGS = new Set(
  `
  ade adp app appcontent-ms application appref-ms asp aspx asx bas bat bgi cdxml chm cmd com cpl csh diagcab
  dll exe fxp gadget grp hlp hpj hta htc htm html img inf ins iso isp its jar jnlp js jse ksh lnk mad maf mag
  mam maq mar mas mau mav maw mcf mda mde mdt mdw mdz msc msh msh1 msh1xml msh2 msh2xml mshxml msi msp mst msu
  ops osd pcd pif pl plg prg printerexport ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psdm1 psm1 py pyc pyo pyw pyz
  pyzw reg scf scr sct search-ms settingcontent-ms shb shs sys theme themepack url vb vbe vbp vbs vhd vhdx
  vsmacros vsw webpnp website wsb wsc wsf wsh xbap xll xnk
  apk appimage appinstaller appx appxbundle bash command deb desktop dmg iqy library-ms mht mhtml mjs msix
  msixbundle ocx one onepkg php pkg rb rdp rpm run searchconnector-ms sh shtml slk svg svgz wim xht xhtml zsh
  `
    .trim()
    .split(/\s+/),
)

/** Whether the name has the ending of something that runs, also behind what Windows drops: dots, spaces, a stream. */
export function isRunnableName(name: string): boolean {
  // Only from the beginning of a run, here and below: a long one would be read again from each of its characters.
  const path = name.replace(/(?<![/\\])[/\\]+$/, '')
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return [file, file.split(/[:\0]/)[0]!].some((written) => {
    const shown = stripInvisible(written).replace(/(?<![\s./\\])[\s./\\]+$/u, '')
    const [, ending] = /\.([^.]+)$/.exec(shown) ?? []
    return ending !== undefined && RUNNABLE_ENDINGS.has(ending.toLowerCase())
  })
}
