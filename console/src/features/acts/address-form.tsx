import type { Debtor } from '@relance/sdk'
import { subjectOfDebtor } from './act-fields.ts'
import ActForm from './act-form.tsx'
import { acts } from './acts.ts'

const correctAddress = acts.find(({ key }) => key === 'correctAddress')!

interface Props {
  readonly debtor: Debtor
  readonly first: string
  readonly onClose: () => void
}

/** The addresses of a record, in the place where they stand. Esc leaves them as they are. */
export default function AddressForm({ debtor, first, onClose }: Props) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key of the form in it
    <div
      className="rounded-control bg-sunken p-3"
      onKeyDown={event => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <ActForm
        act={correctAddress}
        subject={subjectOfDebtor(debtor)}
        first={first}
        isInline
        onDone={onClose}
        onLeave={onClose}
      />
    </div>
  )
}
