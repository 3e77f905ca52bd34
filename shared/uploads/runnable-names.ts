/**
 * The names of web pages, scripts and programs, which could run on the computer of a reader. A list of allowed
 * endings is not possible: DICOM files often have none.
 */
export const RUNNABLE_NAME =
  /\.(apk|app|appx|bat|chm|cmd|com|cpl|deb|dll|dmg|exe|gadget|hta|html?|jar|jse?|lnk|mht|mhtml|mjs|msi|msix|msp|pif|pkg|pl|ps1|psm1|py|pyw|rb|reg|rpm|scf|scr|sh|svg|sys|url|vbe?|vbs|wsf|wsh|xhtml)$/i
