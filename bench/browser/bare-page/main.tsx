import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

/** A minimal sign-in page on React: no router, no styles, no request. */
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <form>
      <h1>Autentificare</h1>
      <label>
        E-mail <input name="email" type="email" />
      </label>
      <label>
        Parolă <input name="password" type="password" />
      </label>
      <button type="submit">Autentificare</button>
    </form>
  </StrictMode>,
)
