import { useEffect } from 'react'

/** The name of the screen in the tab of the browser. */
export function useTitle(name: string | undefined): void {
  useEffect(() => {
    document.title = name === undefined ? 'Relance' : `${name} · Relance`
  }, [name])
}
