/**
 * Reasons of failed mail by the server's code: a code of the server itself, or the error code of the
 * connection.
 */
const REASONS: Readonly<Record<string, string>> = {
  suspended: 'contul sau instituția are accesul suspendat',
  address: 'adresa este scrisă greșit',
  sealed: 'textul nu mai poate fi citit: cheia serverului s-a schimbat',
  old: 'a așteptat prea mult fără server de e-mail',
  ended: 'linkul sau codul din el nu mai este valabil',
  withdrawn: 'nu mai avea ce anunța: rezultatele au fost retrase sau mesajele oprite',
  postponed: 'se trimite altul în locul lui, la adresa de acum',
  EAUTH: 'serverul de e-mail nu acceptă utilizatorul sau parola din configurare',
  EDNS: 'serverul de e-mail nu a fost găsit',
  EENVELOPE: 'adresa este scrisă greșit',
  ETLS: 'conexiunea cu serverul de e-mail nu a putut fi criptată',
}

/** Reasons by SMTP reply code (RFC 5321, 4954); the longest known prefix applies: 550, then 55, then 5. */
const REPLIES: Readonly<Record<string, string>> = {
  4: 'serverul de e-mail nu îl primește deocamdată',
  421: 'serverul de e-mail nu este disponibil',
  450: 'căsuța poștală nu poate primi mesaje acum',
  452: 'căsuța poștală este plină',
  5: 'serverul de e-mail l-a refuzat',
  53: 'serverul de e-mail nu acceptă utilizatorul sau parola din configurare',
  550: 'adresa nu există',
  551: 'adresa s-a mutat în altă parte',
  552: 'căsuța poștală este plină',
  553: 'adresa este scrisă greșit',
  554: 'serverul destinatarului l-a refuzat',
}

/** Returns the reason in Romanian why a mail was not sent; `code` is the server's. */
export function explainFailure(code: string): string {
  if (/^\d{3}$/.test(code))
    return (
      [3, 2, 1].map((length) => REPLIES[code.slice(0, length)]).find((reason) => reason !== undefined) ??
      'motiv necunoscut'
    )
  return REASONS[code] ?? (/^E[A-Z]+$/.test(code) ? 'serverul de e-mail nu a răspuns' : 'motiv necunoscut')
}
