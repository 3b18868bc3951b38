import { type ComponentType, lazy } from 'react'

/**
 * After a release the files of the previous one are gone: the page reloads at the same place, once per release.
 * The router does the same for whole screens.
 */
function reloadOnce(error: unknown): Promise<never> {
  if (sessionStorage.getItem('reloaded') === import.meta.url) throw error
  sessionStorage.setItem('reloaded', import.meta.url)
  window.location.reload()
  // Never settles: nothing is drawn until the reload.
  return new Promise(() => {})
}

/** A part of a page that is loaded when it is shown. */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => load().catch(reloadOnce))
