import { Fragment, type ReactNode } from 'react'

/** Names and values, one pair a line. */
export function Facts({ items }: { readonly items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-body">
      {items.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="text-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
