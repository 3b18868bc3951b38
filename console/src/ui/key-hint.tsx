/** The shortcut next to the name of a command; screen readers get it from `aria-keyshortcuts`. */
export function KeyHint({ children }: { readonly children: string }) {
  return (
    <kbd aria-hidden className="rounded-bar border border-line px-1 font-mono text-mark text-soft">
      {children}
    </kbd>
  )
}
