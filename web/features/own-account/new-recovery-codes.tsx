import { Button } from '../../ui/base/button.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Shows new codes as the last step of a change, until the user has kept them. */
export function NewRecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <div className="grid gap-4">
      <h4 className="font-medium">Coduri de recuperare</h4>
      <RecoveryCodes codes={codes} />
      <Button variant="primary" className="justify-self-start" onPress={onKept}>
        Am păstrat codurile
      </Button>
    </div>
  )
}
