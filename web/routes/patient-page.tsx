import { PatientScreen } from '../features/patients/patient-screen.tsx'
import { PatientFiles } from '../features/uploads/patient-files.tsx'

/** The patient's page, put together here: the patient knows nothing of uploads. */
export function PatientPage() {
  return <PatientScreen files={(patient) => <PatientFiles patient={patient} />} />
}
