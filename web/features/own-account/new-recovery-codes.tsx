import { Button } from '../../ui/base/button.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Shows new codes, which cannot be shown again, until the user has kept them. */
export function NewRecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <div className="grid gap-4">
      <h3 className="font-semibold">Coduri de recuperare</h3>
      <RecoveryCodes codes={codes} />
      <Button variant="primary" className="justify-self-start" onPress={onKept}>
        Am păstrat codurile
      </Button>
    </div>
  )
}
