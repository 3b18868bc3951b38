import { type ComponentType, lazy } from 'react'

/**
 * After a release the files of the one before are gone: the page is loaded again, at the same place, once for each release.
 * The router does the same for whole screens.
 */
function reloadOnce(error: unknown): Promise<never> {
  if (sessionStorage.getItem('reloaded') === import.meta.url) throw error
  sessionStorage.setItem('reloaded', import.meta.url)
  window.location.reload()
  // Nothing is drawn meanwhile.
  return new Promise(() => {})
}

/** A part of a page that is loaded when it is shown. */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => load().catch(reloadOnce))
