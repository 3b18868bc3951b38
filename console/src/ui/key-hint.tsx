/** The key that does the same, beside its words; a screen reader has it from `aria-keyshortcuts`. */
export function KeyHint({ children }: { readonly children: string }) {
  return (
    <kbd aria-hidden className="rounded-bar border border-line px-1 font-mono text-mark text-soft">
      {children}
    </kbd>
  )
}
