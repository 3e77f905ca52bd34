import { useState } from 'react'
import type { Stories } from '../../catalogue/stories.ts'
import { Checkbox } from './checkbox.tsx'

function Some() {
  const [chosen, setChosen] = useState([true, false])
  const isAll = chosen.every(Boolean)
  return (
    <>
      <Checkbox
        isSelected={isAll}
        isIndeterminate={!isAll && chosen.some(Boolean)}
        onChange={(isChosen) => setChosen(chosen.map(() => isChosen))}
      >
        Toate fișierele
      </Checkbox>
      {chosen.map((isChosen, index) => (
        <Checkbox
          key={index === 0 ? 'first' : 'second'}
          isSelected={isChosen}
          onChange={(isNow) => setChosen(chosen.with(index, isNow))}
          className="ml-7"
        >
          Fișierul {index + 1}
        </Checkbox>
      ))}
    </>
  )
}

export default {
  goală: () => <Checkbox>Trimite și un e-mail</Checkbox>,
  bifată: () => <Checkbox defaultSelected>Trimite și un e-mail</Checkbox>,
  'în parte': Some,
  'cu ajutor': () => <Checkbox help="Instituția îl vede de îndată.">Publică după acceptare</Checkbox>,
  dezactivată: () => (
    <Checkbox isDisabled defaultSelected>
      Publică după acceptare
    </Checkbox>
  ),
  refuzată: () => <Checkbox isInvalid>Am citit condițiile</Checkbox>,
  'fără cuvinte': () => <Checkbox aria-label="Alege rândul" />,
} satisfies Stories
